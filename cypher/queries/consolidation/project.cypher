// The live memories of one subject and their vectors of one model, as a graph of the clustering library.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.holds_to IS NOT NULL AND m.subject_id = $subject
WITH m,
     CASE
       WHEN m.embedding IS NOT NULL AND ($model IS NULL OR m.embedding_model = $model) THEN m.embedding
       WHEN $uses_next THEN m.embedding_next
     END AS vector
WHERE vector IS NOT NULL
WITH m, vector
// By content: ids are random, and the library goes by the order.
ORDER BY m.content_hash, m.valid_from, m.kind, m.id
RETURN gds.graph.project($graph, m, null, {sourceNodeProperties: {embedding: vector}, targetNodeProperties: null})

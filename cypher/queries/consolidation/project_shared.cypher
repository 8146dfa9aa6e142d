// The live memories of one subject with their vectors of one model, and the entities that they share, as a graph of the clustering library.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.holds_to IS NOT NULL AND m.subject_id = $subject
WITH m,
     CASE
       WHEN m.embedding IS NOT NULL AND ($model IS NULL OR m.embedding_model = $model) THEN m.embedding
       WHEN $uses_next THEN m.embedding_next
     END AS vector
WHERE vector IS NOT NULL
WITH m, vector
ORDER BY m.content_hash, m.valid_from, m.id
WITH collect({m: m, vector: vector}) AS nodes
CALL (nodes) {
  UNWIND nodes AS node
  RETURN node.m AS m, node.vector AS vector, null AS other, null AS weight
  UNION ALL
  UNWIND nodes AS node
  WITH node.m AS m, node.vector AS vector
  MATCH (m)-[r:SHARES_ENTITY]->(other:Live)
  WHERE other.subject_id = $subject AND other.embedding_model = m.embedding_model
  RETURN m, vector, other, r.weight AS weight
}
WITH m, vector, other, weight
RETURN gds.graph.project($graph, m, other, {
  sourceNodeProperties: {embedding: vector},
  targetNodeProperties: CASE WHEN other IS NULL THEN null ELSE {embedding: CASE WHEN other.embedding IS NOT NULL AND ($model IS NULL OR other.embedding_model = $model) THEN other.embedding ELSE other.embedding_next END} END,
  relationshipType: CASE WHEN other IS NULL THEN null ELSE 'SHARED' END,
  relationshipProperties: CASE WHEN other IS NULL THEN null ELSE {score: weight * $entity_weight} END
})

// The live memories of one subject and their vectors, as a graph of the clustering library.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.valid_to IS NOT NULL AND m.subject_id = $subject AND m.embedding IS NOT NULL
WITH m
ORDER BY m.id
RETURN gds.graph.project($graph, m, null, {sourceNodeProperties: m {.embedding}, targetNodeProperties: null})

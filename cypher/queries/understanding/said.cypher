// The messages of a segment from a position on, in order, each with the memories that were extracted from it.
// include: understanding/parts/said
WITH m
ORDER BY m.position, m.id
LIMIT $limit
RETURN m {.*} AS message, [(n:Memory)-[:EXTRACTED_FROM]->(m) WHERE n.tenant = $tenant | n.id] AS memory_ids
ORDER BY m.position, m.id

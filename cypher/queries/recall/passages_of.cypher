// What memories were taken from, by the memory's id, in the order in which it was said.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[:EXTRACTED_FROM]->(node:Passage)
WHERE m.subject_id >= $lo AND m.subject_id <= $hi AND node.tenant = $tenant AND node.subject_id = m.subject_id
WITH id, node
ORDER BY node.at, node.position, node.id
WITH id, node.id AS place,
// include: recall/parts/said
RETURN id, collect(said) AS passages

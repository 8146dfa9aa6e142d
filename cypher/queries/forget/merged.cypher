// What the memories were merged into and what was merged into them, with the moment of each merge.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
CALL (m) {
  MATCH (m)-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]->(keep:Memory)
  RETURN keep.id AS other, true AS was_source, r.recorded_from AS at
  UNION ALL
  MATCH (m)<-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]-(part:Memory)
  RETURN part.id AS other, false AS was_source, r.recorded_from AS at
}
WITH id, other, was_source, at
WHERE NOT other IN $ids
RETURN other, was_source, min(at) AS at
ORDER BY other

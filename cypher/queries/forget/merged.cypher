// What the memories were merged into and what was merged into them, the oldest first.
// With the moment of each merge, and whether it only repeated.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
CALL (m) {
  MATCH (m)-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]->(keep:Memory)
  RETURN keep.id AS other, true AS was_source, r.recorded_from AS at, coalesce(r.repeats, false) AS repeats
  UNION ALL
  MATCH (m)<-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]-(part:Memory)
  RETURN part.id AS other, false AS was_source, r.recorded_from AS at, coalesce(r.repeats, false) AS repeats
  UNION ALL
  MATCH (m)-[r:CONSOLIDATES WHERE r.open_key IS NOT NULL]->(part:Memory WHERE part.status = 'ARCHIVED')
  RETURN part.id AS other, false AS was_source, r.recorded_from AS at, false AS repeats
}
WITH id, other, was_source, at, repeats
WHERE NOT other IN $ids
RETURN id, other, was_source, repeats, at
ORDER BY at, other

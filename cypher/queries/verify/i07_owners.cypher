// I7: memories, reviews and subjects that do not belong to the one whose token they carry, and reviews joined to something else.
CALL () {
  MATCH (n:Memory)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n, n.subject_id AS owner
  UNION ALL
  MATCH (n:Review)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n, n.subject_id AS owner
  UNION ALL
  MATCH (n:Subject)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n, n.tenant AS owner
}
WITH n, [(n)-[:BELONGS_TO]->(o:Subject|Tenant) WHERE coalesce(o.tenant, o.id) = $tenant | o.id] = [owner] AS belongs,
     all(id IN [(n)-[:ABOUT]->(m) | m.id] WHERE id IN [n.memory_id, n.target_id]) AS fits
WHERE NOT (belongs AND fits)
WITH n.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

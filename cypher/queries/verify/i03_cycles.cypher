// I3: memories that supersede themselves by way of others.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= ''
  AND EXISTS { (m)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(:Memory) }
  AND EXISTS { (m)<-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]-(:Memory) }
  AND EXISTS { (m) (()-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->()){1,} (m) }
WITH m.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

// I9: merged memories that do not say what holds them now.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= '' AND m.status = 'MERGED'
  AND NOT EXISTS { (m)-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]->(:Memory) }
WITH m.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

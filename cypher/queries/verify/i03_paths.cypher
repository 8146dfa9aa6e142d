// I3: memories that supersede several without being a merge or summary, or that several supersede.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= ''
WITH m, COUNT { (m)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(:Memory) } AS older,
     COUNT { (m)<-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]-(:Memory) } AS newer
WHERE newer > 1
   OR (older > 1 AND NOT m:Summary AND NOT EXISTS { (m)<-[:MERGED_INTO]-(:Memory) } AND NOT EXISTS { (m)-[:CONSOLIDATES]->(:Memory) })
WITH m.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

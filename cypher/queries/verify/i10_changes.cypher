// I10: changes without a request, an actor or a time, or joined to other memories than those they name.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.id >= ''
WITH c, COUNT { (c)-[:CHANGED]->(:Memory) } AS joined
WHERE c.at IS NULL OR coalesce(c.actor, '') = ''
   OR NOT EXISTS { MATCH (q:Request) WHERE q.tenant = $tenant AND q.id = c.request_id }
   OR EXISTS { MATCH (c)-[:CHANGED]->(m:Memory) WHERE NOT m.id IN c.targets + coalesce(c.sources, []) }
   OR (joined < size(c.targets + coalesce(c.sources, [])) AND EXISTS {
     UNWIND c.targets + coalesce(c.sources, []) AS id
     MATCH (m:Memory {tenant: $tenant, id: id})
     WHERE NOT EXISTS { (c)-[:CHANGED]->(m) }
   })
WITH c.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

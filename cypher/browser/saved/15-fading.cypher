// What fades: the least important of what is still remembered, and when it was last used
// :param tenant => ''
MATCH (m:Memory:Live)-[:BELONGS_TO]->(s:Subject)-[:BELONGS_TO]->(t:Tenant)
WHERE $tenant = '' OR t.name = $tenant
RETURN m.text AS text, m.tier AS tier, round(m.importance, 3) AS importance, m.access_count AS uses,
       m.last_accessed_at AS last_used, s.name AS whose, m.id AS id
ORDER BY m.importance, m.id
LIMIT 50

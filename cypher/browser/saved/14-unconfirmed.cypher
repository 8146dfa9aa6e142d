// What nobody has stood for yet: memories that tools, agents or the web said
// :param tenant => ''
MATCH (m:Memory:Live)-[:BELONGS_TO]->(s:Subject)-[:BELONGS_TO]->(t:Tenant)
WHERE ($tenant = '' OR t.name = $tenant) AND m.source_kind IN ['agent', 'tool', 'web'] AND m.confirmed_at IS NULL
RETURN m.text AS text, m.source_kind AS said_by, m.source_ref AS source, m.confidence AS confidence, s.name AS whose, m.id AS id
ORDER BY m.created_at DESC, m.id
LIMIT 50

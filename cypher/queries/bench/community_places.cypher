// Which community each memory of a tenant is in.
MATCH (c:Community)
WHERE c.tenant = $tenant AND c.id >= '' AND c.ended_at IS NULL
MATCH (m:Memory)-[r:MEMBER_OF]->(c)
WHERE r.recorded_to = $forever
RETURN m.id AS memory, c.id AS community

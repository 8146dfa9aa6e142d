// The merged memories of a tenant that stand, each with its members.
MATCH (made:Memory)-[r:CONSOLIDATES]->(m:Memory)
WHERE made.tenant = $tenant AND made.id >= '' AND r.recorded_to = $forever
RETURN made.id AS id, collect(m.id) AS members

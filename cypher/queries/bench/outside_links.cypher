// The open links of a tenant that somebody made.
MATCH (a:Memory)-[r:RELATED|SUPPORTS|CAUSES]->(b:Memory)
WHERE a.tenant = $tenant AND a.id >= '' AND r.recorded_to = $forever
RETURN type(r) AS kind, a.id AS start, b.id AS end

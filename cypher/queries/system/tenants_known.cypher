// Every tenant with its name, and since when it is known.
MATCH (t:Tenant)
RETURN t.id AS id, t.name AS name, t.created_at AS known_since
ORDER BY name

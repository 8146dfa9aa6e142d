// The names of all tenants.
MATCH (t:Tenant)
RETURN t.name AS name
ORDER BY name

// The names of a tenant's subjects, as many as a person may have meant one of.
MATCH (s:Subject {tenant: $tenant})
RETURN s.name AS name
ORDER BY name
LIMIT 10000

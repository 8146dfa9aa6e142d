// Each subject `s` of a tenant that a scope sees, behind a name.
MATCH (s:Subject)
USING INDEX s:Subject(tenant, name)
WHERE s.tenant = $tenant AND s.name > $after AND s.id >= $lo AND s.id <= $hi

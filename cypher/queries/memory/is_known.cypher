// Whether a tenant is there, and the subject in it.
OPTIONAL MATCH (t:Tenant {id: $tenant})
OPTIONAL MATCH (s:Subject {tenant: $tenant, id: $subject})
RETURN t IS NOT NULL AS tenant, s IS NOT NULL AS subject

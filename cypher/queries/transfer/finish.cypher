// Ends a restore: the tenant is like any other.
MATCH (t:Tenant {id: $tenant})
WHERE t.restoring = $file
REMOVE t.restoring, t.restored
RETURN t.sequence AS sequence

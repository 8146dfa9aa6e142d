// Stores a new key, and makes its tenant at the tenant's first key.
MERGE (t:Tenant {id: $tenant})
ON CREATE SET t.name = $tenant_name, t.sequence = 0, t.recorded_at = $now, t.created_at = $now
CREATE (k:ApiKey {id: $id})
SET k += $properties, k.tenant = $tenant, k.tenant_name = $tenant_name, k.created_at = $now
RETURN k {.*, hash: null, salt: null} AS key

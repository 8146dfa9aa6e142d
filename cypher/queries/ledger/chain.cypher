// Chains changes anew that follow what another subject's writer sealed meanwhile; the tenant is locked since the seal.
MATCH (t:Tenant {id: $tenant})
SET t.chain = $chain
WITH t
UNWIND $rows AS row
MATCH (c:Change {tenant: $tenant, sequence: row.sequence})
SET c.chain = row.chain

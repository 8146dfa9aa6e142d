// How far the tenant's ledger goes: the sequence number of its last change.
MATCH (t:Tenant {id: $tenant})
RETURN t.sequence AS sequence

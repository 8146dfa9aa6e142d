// The tenant as far as the ledger and its tombstones need it.
MATCH (t:Tenant {id: $tenant})
RETURN t.sequence AS sequence, t.recorded_at AS recorded_at, t.created_at AS created_at, t.tombstone_key AS tombstone_key

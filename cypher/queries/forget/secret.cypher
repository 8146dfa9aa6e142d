// The tenant's key for tombstones, made at the first erasure.
MATCH (t:Tenant {id: $tenant})
SET t.tombstone_key = coalesce(t.tombstone_key, $fresh)
RETURN t.tombstone_key AS key

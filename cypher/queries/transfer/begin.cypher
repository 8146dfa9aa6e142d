// Makes the tenant of a restore and takes its numbers, so that whoever writes meanwhile counts on from them.
MERGE (t:Tenant {id: $tenant})
ON CREATE SET t.name = $name, t.sequence = 0
SET t.restoring = coalesce(t.restoring, $file)
WITH t
WHERE t.restoring = $file AND t.sequence = 0 AND t.restored IS NULL
SET t.restored = 0, t.sequence = $sequence, t.recorded_at = $recorded_at, t.created_at = $created_at,
    t.tombstone_key = $tombstone_key
RETURN t.restored AS restored

// The tombstones of the subject, and the key that they are made with.
MATCH (owner:Tenant {id: $tenant})
OPTIONAL MATCH (t:Tombstone)
WHERE t.tenant = $tenant AND t.subject_id = $subject
RETURN owner.tombstone_key AS key, collect(t.hash) AS hashes

// Leaves tombstones: what was erased is not imported or extracted again.
UNWIND $hashes AS hash
MERGE (t:Tombstone {tenant: $tenant, subject_id: $subject, hash: hash})
ON CREATE SET t.created_at = $now, t.request_id = $request_id
RETURN count(t) AS tombstones

// Frees the words of memories that are about to be removed, for those that stand in their place.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
SET m.live_key = null

// Counts that a memory was looked at and is well as it is.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
SET m.refined_at = $now, m.rejection_count = coalesce(m.rejection_count, 0) + 1

// Counts that a memory was said again, if that was later than it began to hold; says whether it was.
MATCH (m:Memory {tenant: $tenant, id: $id})
WHERE m.subject_id = $subject
WITH m, m.valid_from < $at AS is_newer
SET m.access_count = m.access_count + CASE WHEN is_newer THEN 1 ELSE 0 END,
    m.last_accessed_at = CASE WHEN is_newer THEN $now ELSE m.last_accessed_at END
RETURN is_newer

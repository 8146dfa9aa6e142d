// Counts a merged memory's age from the day of its oldest member.
MATCH (made:Memory {tenant: $tenant, id: $id})
WHERE made.subject_id = $subject
SET made.created_day = coalesce($day, made.created_day)
RETURN made.created_day AS day

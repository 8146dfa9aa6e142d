// Closes the open segments of the subject that nobody has added to since a moment; says how many.
MATCH (s:Segment {tenant: $tenant, subject_id: $subject, status: 'OPEN'})
WHERE s.touched_at <= $idle_since
SET s.status = 'PENDING'
RETURN count(s) AS closed

// Takes back that messages were asked about, where that came to nothing; says how many.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.status = 'PENDING' AND s.subject_id = $subject
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.extracted_at IS NULL AND m.asked_at <= $asked_before
SET m.asked_at = null
RETURN count(m) AS messages

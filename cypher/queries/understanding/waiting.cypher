// How many messages of the subject wait to be extracted.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.status = 'PENDING' AND s.subject_id = $subject
OPTIONAL MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.extracted_at IS NULL
RETURN count(m) AS messages

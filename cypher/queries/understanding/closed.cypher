// The latest closed segment of a session that waits to be extracted, and how many messages it has.
MATCH (s:Segment {tenant: $tenant, subject_id: $subject, status: 'PENDING'})
WHERE s.ref = $session
WITH s
ORDER BY s.started_at DESC, s.id DESC
LIMIT 1
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id
RETURN s.id AS id, count(m) AS messages

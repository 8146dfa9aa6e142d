// Closes the open segment of a session, so that it is extracted; says how many messages it has.
MATCH (s:Segment {tenant: $tenant, subject_id: $subject, status: 'OPEN'})
WHERE s.ref = $session
SET s.status = 'PENDING'
WITH s
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id
RETURN s.id AS id, count(m) AS messages

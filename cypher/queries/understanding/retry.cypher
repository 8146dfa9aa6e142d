// Has the messages of a session that were set aside wait to be read again; says which, by segment.
MATCH (s:Segment {tenant: $tenant, subject_id: $subject})
WHERE s.ref = $session
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.set_aside IS NOT NULL AND m.redacted_at IS NULL
SET m.extracted_at = null, m.set_aside = null, m.fault = null, m.tries = null, s.status = 'PENDING', s.extracted_at = null
RETURN s.id AS segment_id, collect(m.id) AS messages
ORDER BY segment_id

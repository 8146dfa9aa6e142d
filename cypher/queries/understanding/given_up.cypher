// Takes back that messages were asked about, where the batch of the question has ended or is gone; says how many.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.status = 'PENDING' AND s.subject_id = $subject
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.extracted_at IS NULL AND m.asked_at <= $asked_before
OPTIONAL MATCH (b:Batch {tenant: $tenant, id: m.asked_in})
WITH m, m.asked_at <= $lost_before OR b IS NULL OR coalesce(b.ended_at <= $asked_before, false) AS is_lost
WHERE is_lost
SET m.asked_at = null, m.asked_in = null
RETURN count(m) AS messages

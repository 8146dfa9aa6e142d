// Takes back that messages were asked about, where the batch of the question has ended or is gone; says how many.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.status = 'PENDING' AND s.subject_id = $subject
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.extracted_at IS NULL AND m.asked_at <= $asked_before
  AND (m.asked_at <= $lost_before OR NOT EXISTS {
    MATCH (b:Batch {tenant: $tenant, id: m.asked_in})
    WHERE b.ended_at IS NULL OR b.ended_at > $asked_before
  })
SET m.asked_at = null, m.asked_in = null
RETURN count(m) AS messages

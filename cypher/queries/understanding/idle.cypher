// The subjects with open segments that nobody has added to since a moment, or with questions that came to nothing.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi
  AND (s.status = 'OPEN' AND s.touched_at <= $idle_since
    OR s.status = 'PENDING' AND EXISTS {
      MATCH (m:Message)
      WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.extracted_at IS NULL AND m.asked_at <= $asked_before
        AND (m.asked_at <= $lost_before OR NOT EXISTS {
          MATCH (b:Batch {tenant: $tenant, id: m.asked_in})
          WHERE b.ended_at IS NULL OR b.ended_at > $asked_before
        })
    })
MATCH (u:Subject {tenant: $tenant, id: s.subject_id})
RETURN u.name AS subject, count(s) AS segments
ORDER BY subject

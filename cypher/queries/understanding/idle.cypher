// The subjects with open segments that nobody has added to since a moment, or with questions that came to nothing.
// One part for each: Neo4j's planner fails on the two joined by OR with some statistics.
CALL () {
  MATCH (s:Segment)
  WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi
    AND s.status = 'OPEN' AND s.touched_at <= $idle_since
  RETURN s
  UNION
  MATCH (s:Segment)
  WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi AND s.status = 'PENDING'
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.extracted_at IS NULL AND m.asked_at <= $asked_before
  OPTIONAL MATCH (b:Batch {tenant: $tenant, id: m.asked_in})
  WITH s, m.asked_at <= $lost_before OR b IS NULL OR coalesce(b.ended_at <= $asked_before, false) AS is_lost
  WHERE is_lost
  RETURN s
}
MATCH (u:Subject {tenant: $tenant, id: s.subject_id})
RETURN u.name AS subject, count(s) AS segments
ORDER BY subject

// The next messages to extract, those aside that a language model was asked about, in the order in which they were said, each with those before it.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.status = 'PENDING' AND s.subject_id = $subject
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.extracted_at IS NULL AND m.asked_at IS NULL
WITH s, m
ORDER BY s.started_at, s.id, m.position
LIMIT $limit
CALL (m) {
  OPTIONAL MATCH (b:Message)
  WHERE b.tenant = $tenant AND b.segment_id = m.segment_id AND b.position >= m.position - $context AND b.position < m.position
  WITH b
  ORDER BY b.position
  RETURN collect(b {.*}) AS before
}
RETURN m {.*} AS message, before, s.run_id AS run

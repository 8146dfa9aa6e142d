// The next messages about which no language model was asked, in the order in which they were said.
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
  RETURN collect(b.id) AS before
}
RETURN m {.id, .segment_id, .speaker, .text, .role} AS message, coalesce(s.context_ids, []) AS context_ids, before

// The stretches of conversation of a scope, latest first, with how many messages they have and how many are extracted.
// include: understanding/parts/segments
WITH s
ORDER BY s.started_at DESC, s.id DESC
LIMIT $limit
CALL (s) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.segment_id = s.id
  RETURN count(m) AS messages, count(m.extracted_at) AS extracted, count(m.set_aside) AS set_aside,
         sum(CASE WHEN m.extracted_at IS NOT NULL AND m.redacted_at IS NULL AND coalesce(m.role, 'user') = 'user'
           AND NOT EXISTS { (m)<-[:EXTRACTED_FROM]-() } THEN 1 ELSE 0 END) AS left_out
}
RETURN s {.*} AS segment, messages, extracted, left_out, set_aside
ORDER BY s.started_at DESC, s.id DESC

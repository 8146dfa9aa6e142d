// The stretches of conversation of a scope, latest first, with how many messages they have and how many are extracted.
// include: understanding/parts/segments
WITH s
ORDER BY s.started_at DESC, s.id DESC
LIMIT $limit
CALL (s) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.segment_id = s.id
  // include: understanding/parts/counted
}
RETURN s {.*} AS segment, messages, extracted, left_out, set_aside
ORDER BY s.started_at DESC, s.id DESC

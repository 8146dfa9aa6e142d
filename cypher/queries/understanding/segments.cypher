// The stretches of conversation of a scope, latest first, with how many messages they have and how many are extracted.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi
  AND ($status IS NULL OR s.status = $status) AND ($session IS NULL OR s.ref = $session)
  AND ($before_at IS NULL OR s.started_at < $before_at OR s.started_at = $before_at AND s.id < $before_id)
WITH s
ORDER BY s.started_at DESC, s.id DESC
LIMIT $limit
CALL (s) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.segment_id = s.id
  RETURN count(m) AS messages, count(m.extracted_at) AS extracted
}
RETURN s {.*} AS segment, messages, extracted
ORDER BY s.started_at DESC, s.id DESC

// Each stretch of conversation `s` of a scope, of a status and a session, or of any, behind a place.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi
  AND ($status IS NULL OR s.status = $status) AND ($session IS NULL OR s.ref = $session)
  AND ($before_at IS NULL OR s.started_at < $before_at OR s.started_at = $before_at AND s.id < $before_id)

// Each conversation of a scope, behind a place: the segments of one session are one, a segment without a session is one by itself.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi
WITH s.subject_id AS subject_id, s.ref AS name, coalesce(s.ref, s.id) AS key, min(s.started_at) AS started_at,
     max(coalesce(s.ended_at, s.started_at)) AS ended_at, collect(s.id) AS segments, collect(s.status) AS statuses
WITH *, subject_id + ' ' + key AS mark
WHERE $before_at IS NULL OR started_at < $before_at OR started_at = $before_at AND mark < $before_mark

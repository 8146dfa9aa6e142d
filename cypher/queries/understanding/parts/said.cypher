// Each message `m` of a segment from a position on.
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = $segment_id AND m.position >= $from
  AND m.subject_id >= $lo AND m.subject_id <= $hi

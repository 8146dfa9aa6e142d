// Each message `m` of a segment from a position on, or with `left_out` each of a person that was read and became no memory.
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = $segment_id AND m.position >= $from
  AND m.subject_id >= $lo AND m.subject_id <= $hi
  AND (NOT $left_out OR m.extracted_at IS NOT NULL AND m.redacted_at IS NULL AND coalesce(m.role, 'user') = 'user'
    AND NOT EXISTS { (m)<-[:EXTRACTED_FROM]-() })

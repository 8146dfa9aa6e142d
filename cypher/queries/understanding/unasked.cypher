// The next messages about which no language model was asked, in the order in which they were said.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.status = 'PENDING' AND s.subject_id = $subject
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.segment_id = s.id AND m.extracted_at IS NULL AND m.asked_at IS NULL
RETURN m {.id, .segment_id, .speaker, .text, .role} AS message, coalesce(s.context_ids, []) AS context_ids
ORDER BY s.started_at, s.id, m.position
LIMIT $limit

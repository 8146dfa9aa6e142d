// What a message `s` and the one `before` it say, and by which word of it a change is seen: `said` and `hash`.
OPTIONAL MATCH (earlier:Message {tenant: $tenant, segment_id: s.segment_id, position: s.position - 1})
WITH s, CASE WHEN earlier.redacted_at IS NULL THEN earlier END AS before
WITH s, s {.speaker, .at, .text, .picture, before: before {.speaker, .at, .text, .picture}} AS said,
     coalesce(before.speaker + ': ' + before.text + ' ' + coalesce(before.picture, ''), '') + '\n' + s.text AS hash

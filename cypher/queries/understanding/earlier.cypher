// The messages of the subject said just before one: of its segment, else of the two segments before it; in their order.
MATCH (first:Message {tenant: $tenant, id: $first})
WHERE first.subject_id = $subject
CALL (first) {
  MATCH (b:Message)
  WHERE b.tenant = $tenant AND b.segment_id = first.segment_id AND b.position >= first.position - $most AND b.position < first.position
  RETURN b
  UNION
  CALL (first) {
    MATCH (s:Segment)
    WHERE s.tenant = $tenant AND s.subject_id = $subject AND s.status > '' AND s.started_at < first.at AND s.id <> first.segment_id
    RETURN s
    ORDER BY s.started_at DESC, s.id
    LIMIT 2
  }
  MATCH (b:Message)
  WHERE b.tenant = $tenant AND b.segment_id = s.id AND b.at < first.at
  RETURN b
}
WITH b
WHERE b.redacted_at IS NULL
ORDER BY b.at DESC, b.position DESC
LIMIT $most
WITH b
ORDER BY b.at, b.position
RETURN b.id AS id, b.speaker AS speaker, b.text AS text

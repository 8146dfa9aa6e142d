// Appends messages to the open segment of a session, which is opened where there is none; those that are there stay.
OPTIONAL MATCH (open:Segment {tenant: $tenant, subject_id: $subject, status: 'OPEN'})
WHERE open.ref = $session
WITH head(collect(open)) AS open
CALL (open) {
  WHEN open IS NULL THEN {
    CREATE (s:Segment {tenant: $tenant, id: $segment_id})
    SET s.subject_id = $subject, s.ref = $session, s.started_at = $started_at, s.status = 'OPEN', s.length = 0,
        s.caption = 'conversation of ' + toString(date($started_at)), s.created_at = $now, s.context_ids = []
    RETURN s
  } ELSE {
    RETURN open AS s
  }
}
UNWIND $rows AS row
MERGE (m:Message {tenant: $tenant, id: row.id})
ON CREATE SET m.subject_id = $subject, m.segment_id = s.id, m.position = s.length + row.offset, m.speaker = row.speaker,
              m.at = row.at, m.text = row.text, m.caption = row.caption, m.picture = row.picture, m.ref = row.ref,
              m.session = $session, m.role = row.role, m.source_kind = row.source_kind, m.created_at = $now, m.is_new = true
WITH s, m, m.is_new IS NOT NULL AS is_new
CALL (s, m) {
  WITH s, m WHERE m.is_new
  MERGE (m)-[:PART_OF]->(s)
  REMOVE m.is_new
}
WITH s, count(CASE WHEN is_new THEN 1 END) AS stored, max(m.at) AS last
SET s.length = s.length + size($rows), s.ended_at = CASE WHEN s.ended_at > last THEN s.ended_at ELSE last END,
    s.touched_at = $now,
    s.context_ids = (s.context_ids + [id IN $context_ids WHERE NOT id IN s.context_ids])[-100..]
RETURN s.id AS id, stored, s.length AS length

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
CALL () {
  UNWIND $rows AS row
  OPTIONAL MATCH (known:Message {tenant: $tenant, id: row.id})
  WITH row, known
  ORDER BY row.offset
  RETURN collect(CASE WHEN known IS NULL THEN row END) AS fresh,
         // An erased message has no text; what was said under its name stays erased.
         collect(CASE WHEN known.redacted_at IS NULL AND known.text <> row.text THEN row.ref END) AS changed
}
CALL (s, fresh) {
  UNWIND range(0, size(fresh) - 1) AS place
  WITH s, place, fresh[place] AS row
  CREATE (m:Message:Passage {tenant: $tenant, id: row.id})
  SET m.subject_id = $subject, m.segment_id = s.id, m.position = s.length + place, m.speaker = row.speaker,
      m.at = row.at, m.text = row.text, m.caption = row.caption, m.picture = row.picture, m.ref = row.ref,
      m.session = $session, m.role = row.role, m.source_kind = row.source_kind, m.created_at = $now,
      m.unembedded = true, m.embedding_model = 'PENDING'
  CREATE (m)-[:PART_OF]->(s)
  RETURN max(row.at) AS last
}
SET s.length = s.length + size(fresh), s.ended_at = CASE WHEN last IS NULL OR s.ended_at > last THEN s.ended_at ELSE last END,
    s.touched_at = $now,
    s.context_ids = (s.context_ids + [id IN $context_ids WHERE NOT id IN s.context_ids AND EXISTS {
      MATCH (shown:Memory {tenant: $tenant, id: id})
      WHERE shown.subject_id = $subject
    }])[-100..]
RETURN s.id AS id, size(fresh) AS stored, s.length AS length, changed

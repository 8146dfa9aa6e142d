// Stores messages that are not here yet, each in its segment.
UNWIND $rows AS row
MERGE (s:Segment {tenant: $tenant, id: row.segment_id})
ON CREATE SET s.subject_id = $subject, s.ref = row.segment_ref, s.started_at = row.started_at, s.status = 'PENDING',
              s.caption = 'conversation of ' + toString(date(row.started_at)), s.created_at = $now
MERGE (m:Message {tenant: $tenant, id: row.id})
ON CREATE SET m:Passage, m.unembedded = true, m.embedding_model = 'PENDING', m.source_kind = 'import',
              m.subject_id = $subject, m.segment_id = row.segment_id, m.position = row.position, m.speaker = row.speaker,
              m.at = row.at, m.text = row.text, m.caption = row.caption, m.picture = row.picture, m.ref = row.ref,
              m.session = row.session, m.role = row.role, m.created_at = $now, m.is_new = true
WITH s, m, row
CALL (s, m) {
  WITH s, m WHERE m.is_new
  MERGE (m)-[:PART_OF]->(s)
  SET s.status = 'PENDING', s.ended_at = m.at
  REMOVE m.is_new
}
RETURN count(m) AS stored

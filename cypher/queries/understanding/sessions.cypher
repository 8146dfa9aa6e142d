// The conversations of a scope, latest begun first: the segments of one session are one, a segment without a session is one by itself.
// include: understanding/parts/sessions
ORDER BY started_at DESC, mark DESC
LIMIT $limit
CALL (segments) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.segment_id IN segments
  // include: understanding/parts/counted
}
CALL (segments) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.segment_id IN segments
  WITH m
  ORDER BY m.at, m.position
  LIMIT 1
  RETURN collect({message: m {.*}, memory_ids: [(n:Memory)-[:EXTRACTED_FROM]->(m) WHERE n.tenant = $tenant | n.id]}) AS firsts
}
CALL (segments) {
  MATCH (m:Message)
  WHERE m.tenant = $tenant AND m.segment_id IN segments
  WITH m
  ORDER BY m.at DESC, m.position DESC
  LIMIT 1
  RETURN collect({message: m {.*}, memory_ids: [(n:Memory)-[:EXTRACTED_FROM]->(m) WHERE n.tenant = $tenant | n.id]}) AS lasts
}
MATCH (owner:Subject {tenant: $tenant, id: subject_id})
RETURN name, owner.name AS subject, mark, started_at, ended_at, size(segments) AS segments, statuses, messages, extracted, left_out,
       set_aside, head(firsts) AS first, head(lasts) AS last
ORDER BY started_at DESC, mark DESC

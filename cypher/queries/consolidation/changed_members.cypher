// What changed in a subject since its communities were found: memories that are new or say something else, and members that are gone.
CALL () {
  MATCH (m:Live)
  WHERE m.tenant = $tenant AND m.holds_to IS NOT NULL AND m.subject_id = $subject AND m.recorded_from > $since AND m.embedding IS NOT NULL
  OPTIONAL MATCH (m)-[r:MEMBER_OF]->(c:Community)
  WHERE r.recorded_to = $forever
  RETURN m.id AS id, false AS gone, c.id AS community
  UNION ALL
  MATCH (c:Community)
  WHERE c.tenant = $tenant AND c.id >= '' AND c.subject_id = $subject AND c.ended_at IS NULL
  MATCH (c)<-[r:MEMBER_OF]-(m:Memory)
  WHERE r.recorded_to = $forever AND NOT m:Live
  RETURN m.id AS id, true AS gone, c.id AS community
}
RETURN id, gone, community
ORDER BY id

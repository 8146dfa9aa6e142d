// What some live memories say and mention, and beside them the central ones of so many communities of the subject.
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {tenant: $tenant, id: id})
  RETURN m
  UNION
  MATCH (c:Community)
  WHERE c.tenant = $tenant AND c.id >= '' AND c.subject_id = $subject AND c.ended_at IS NULL
  WITH c
  ORDER BY c.id
  LIMIT $most
  MATCH (m:Memory {tenant: $tenant, id: c.central_id})
  RETURN m
}
WITH m
WHERE m:Live AND m.subject_id = $subject
RETURN m.id AS id, m.text AS text, m.source_author AS author,
       COLLECT { MATCH (m)-[r:MENTIONS]->(e:Entity) WHERE r.recorded_to = $forever RETURN DISTINCT e {.id, .name} } AS entities

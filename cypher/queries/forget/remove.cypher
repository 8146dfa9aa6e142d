// Removes the memories with their former states, and the entities that nothing else mentions.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
CALL (m) {
  MATCH (m)-[r:MENTIONS]->(e:Entity)
  WHERE r.recorded_to = $forever
  SET e.link_count = e.link_count - 1
}
CALL (m) {
  MATCH (m)-[r:MEMBER_OF]->(c:Community)
  WHERE r.recorded_to = $forever
  SET c.caption = 'community', c.label = 'community', c.central_id = null, c.size = c.size - 1
}
CALL (m) {
  MATCH (m)-[:MENTIONS]->(e:Entity)
  RETURN collect(DISTINCT e) AS mentioned
}
CALL (m) {
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  WITH collect(v) AS former
  FOREACH (v IN former | DETACH DELETE v)
  RETURN size(former) AS revisions
}
DETACH DELETE m
WITH collect(mentioned) AS lists, sum(revisions) AS revisions
CALL (lists) {
  UNWIND lists AS mentioned
  UNWIND mentioned AS e
  WITH DISTINCT e
  WHERE NOT EXISTS { (e)<-[:MENTIONS]-() }
  DETACH DELETE e
  RETURN count(*) AS entities
}
RETURN revisions, entities

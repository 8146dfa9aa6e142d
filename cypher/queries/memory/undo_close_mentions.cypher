// Closes mentions: those named, and all of memories whose adding is undone.
CALL () {
  UNWIND $pairs AS pair
  MATCH (m:Memory {tenant: $tenant, id: pair[0]})-[r:MENTIONS]->(e:Entity {id: pair[1]})
  RETURN m, r, e
  UNION
  UNWIND $added AS id
  MATCH (m:Memory {tenant: $tenant, id: id})-[r:MENTIONS]->(e:Entity)
  RETURN m, r, e
}
WITH m, r, e
WHERE r.recorded_to > datetime('9998-01-01T00:00:00Z')
SET r.recorded_to = $pending, e.link_count = e.link_count - 1
RETURN m.id AS memory, e.id AS entity

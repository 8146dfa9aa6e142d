// What memories say now and whether they wait for being read, with the names of what they mention; from now on none waits.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
WITH m, coalesce(m.unread, false) AS unread
SET m.unread = null
RETURN m.id AS id, m.text AS text, unread, COLLECT {
  MATCH (m)-[r:MENTIONS]->(e:Entity)
  WHERE r.recorded_to = $forever
  RETURN {id: e.id, names: [e.name] + coalesce(e.aliases, [])}
} AS mentioned

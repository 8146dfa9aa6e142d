// What a memory says now, and the names of what it mentions.
MATCH (m:Memory {tenant: $tenant, id: $id})
WHERE m.subject_id = $subject
RETURN m.text AS text, COLLECT {
  MATCH (m)-[r:MENTIONS]->(e:Entity)
  WHERE r.recorded_to = $forever
  RETURN {id: e.id, names: [e.name] + coalesce(e.aliases, [])}
} AS mentioned

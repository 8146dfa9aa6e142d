// What a memory says now, and what it mentions.
MATCH (m:Memory {tenant: $tenant, id: $id})
WHERE m.subject_id = $subject
RETURN m.text AS text, COLLECT {
  MATCH (m)-[r:MENTIONS]->(e:Entity)
  WHERE r.recorded_to = $forever
  RETURN e {.id, .name, .type, .key, .discriminator, .aliases, .alias_keys, .alias_of}
} AS mentioned

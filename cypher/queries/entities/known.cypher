// The subject's entities that some names can mean: by key, by alias, people by how their names begin and end, and what those lead to.
CALL () {
  UNWIND $keys AS key
  MATCH (e:Entity)
  WHERE e.tenant = $tenant AND e.subject_id = $subject AND e.key = key
  RETURN e
  UNION
  MATCH (e:Entity)
  WHERE e.tenant = $tenant AND e.subject_id = $subject AND e.alias_keys IS NOT NULL AND any(key IN e.alias_keys WHERE key IN $keys)
  RETURN e
  UNION
  UNWIND $people AS person
  MATCH (e:Entity)
  WHERE e.tenant = $tenant AND e.subject_id = $subject AND e.key STARTS WITH person[0] AND e.key ENDS WITH person[1]
    AND e.type IN ['PERSON', 'UNKNOWN']
  RETURN e
}
CALL (e) {
  RETURN e AS found
  UNION
  MATCH (found:Entity {tenant: $tenant, id: e.alias_of})
  RETURN found
}
WITH DISTINCT found
ORDER BY found.first_seen, found.id
RETURN found {.id, .name, .type, .key, .discriminator, .aliases, .alias_keys, .alias_of} AS entity

// The relationships that begin at each entity, by id, from a cursor on, but for those that follow from something else.
MATCH (n:Entity)
WHERE n.tenant = $tenant AND n.id > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH n
ORDER BY n.tenant, n.id
LIMIT $first
RETURN n.id AS cursor, COLLECT {
  MATCH (n)-[r]->(other)
  WHERE NOT type(r) IN $implied AND other.tenant = $tenant AND other.subject_id >= $lo AND other.subject_id <= $hi
  RETURN {
    kind: type(r), to: other.id, properties: properties(r),
    // A relation counts while the memory that states it says what it said, and mentions both.
    is_now: EXISTS {
      MATCH (m:Memory {tenant: $tenant, id: r.memory_id})
      WHERE m.status <> 'RETRACTED' AND m.content_hash = r.content_hash
        AND EXISTS { (m)-[s:MENTIONS]->(n) WHERE s.recorded_to = $forever }
        AND EXISTS { (m)-[s:MENTIONS]->(other) WHERE s.recorded_to = $forever }
    }
  }
} AS links
ORDER BY cursor

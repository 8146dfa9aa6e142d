// What memories that answer at a moment state of each entity and another one, in both directions.
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id})
WHERE e.subject_id >= $lo AND e.subject_id <= $hi
CALL (e) {
  RETURN e AS named
  UNION
  MATCH (named:Entity {tenant: $tenant, alias_of: e.id})
  RETURN named
}
MATCH (named)-[r:RELATES_TO]-(:Entity)
WITH DISTINCT id, e, r
MATCH (m:Memory {tenant: $tenant, id: r.memory_id})
WHERE EXISTS { (m)-[s:MENTIONS]->(e) WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at }
CALL (m) {
  WITH m
  WHERE m.recorded_from <= $known_at
  RETURN m AS state
  UNION ALL
  WITH m
  WHERE m.recorded_from > $known_at
  MATCH (m)-[:REVISED_FROM]->(state:Revision)
  WHERE state.recorded_from <= $known_at AND state.recorded_to > $known_at
  RETURN state
}
WITH id, r, m, state, startNode(r) AS a, endNode(r) AS b
WHERE state.content_hash = r.content_hash AND state.valid_from <= $as_of AND state.holds_to > $as_of
OPTIONAL MATCH (start:Entity {tenant: $tenant, id: a.alias_of})
WHERE EXISTS { (m)-[s:MENTIONS]->(start) WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at }
OPTIONAL MATCH (end:Entity {tenant: $tenant, id: b.alias_of})
WHERE EXISTS { (m)-[s:MENTIONS]->(end) WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at }
WITH id, r, m, coalesce(start, a) AS a, coalesce(end, b) AS b
ORDER BY m.created_at, m.id
WITH id, a, r.type AS type, b, max(r.strength) AS strength, collect(DISTINCT m.id) AS memories
ORDER BY type, a.key, b.key, a.id, b.id
RETURN id, collect({from: a {.id, .name}, type: type, to: b {.id, .name}, strength: strength, memories: memories}) AS relations

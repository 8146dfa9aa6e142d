// The memories that mention each entity at a moment, newest first, from a cursor on.
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id})
WHERE e.subject_id >= $lo AND e.subject_id <= $hi
RETURN id, COLLECT {
  MATCH (e)<-[r:MENTIONS]-(m:Memory)
  WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at
    AND ($before IS NULL OR m.created_at < $before OR (m.created_at = $before AND m.id < $before_id))
  CALL (m) {
    WITH m
    WHERE m.recorded_from <= $known_at
    RETURN m AS s
    UNION ALL
    WITH m
    WHERE m.recorded_from > $known_at
    MATCH (m)-[:REVISED_FROM]->(s:Revision)
    WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
    RETURN s
  }
  WITH m, s
  WHERE s.valid_from <= $as_of AND s.holds_to > $as_of
  RETURN {id: m.id, at: m.created_at}
  ORDER BY m.created_at DESC, m.id DESC
  LIMIT $first
} AS memories

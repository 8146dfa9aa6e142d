// Each entity `e` behind a place that a memory mentions or states something of at a moment.
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.subject_id >= $lo AND e.subject_id <= $hi AND e.key STARTS WITH $prefix AND e.key >= $key
  AND CASE WHEN e.key > $key THEN true ELSE e.id > $id END AND ($type IS NULL OR e.type = $type)
  AND EXISTS {
    MATCH (e)<-[:OF]-{0,1}()<-[r:MENTIONS|STATES]-(m:Memory)
    WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at
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
    WITH s
    WHERE s.valid_from <= $as_of AND s.holds_to > $as_of
    RETURN s
  }

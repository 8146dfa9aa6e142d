// The state of `m` that was recorded at a time, null where none was: `node`.
CASE WHEN m.recorded_from <= $known_at THEN m ELSE head(COLLECT {
  MATCH (m)-[:REVISED_FROM]->(s:Revision)
  WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
  RETURN s
}) END AS node

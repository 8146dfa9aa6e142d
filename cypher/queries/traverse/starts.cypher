// Each memory as it was recorded at a time, whatever its status: where a traversal begins.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
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
RETURN id, s {.*, embedding: null} AS state

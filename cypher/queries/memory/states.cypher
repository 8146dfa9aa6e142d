// Each memory's state as it was believed at a time, and true at another where one is given.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
CALL (m) {
  RETURN m AS s
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  RETURN v AS s
}
WITH id, s
WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
  AND ($as_of IS NULL OR (s.valid_from <= $as_of AND s.holds_to > $as_of))
RETURN id, s {.*, embedding: null} AS state

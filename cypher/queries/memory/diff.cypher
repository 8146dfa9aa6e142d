// The memories whose answer differs between two moments, newest first from a cursor on, with the state that answers at each.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
  AND ($before IS NULL OR m.created_at < $before OR (m.created_at = $before AND m.id < $before_id))
CALL (m) {
  RETURN m AS s
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  RETURN v AS s
}
WITH m,
  collect(CASE WHEN s.recorded_from <= $known_1 AND s.recorded_to > $known_1 AND s.valid_from <= $as_of_1
    AND s.holds_to > $as_of_1 THEN s END)[0] AS one,
  collect(CASE WHEN s.recorded_from <= $known_2 AND s.recorded_to > $known_2 AND s.valid_from <= $as_of_2
    AND s.holds_to > $as_of_2 THEN s END)[0] AS two
WHERE (one IS NULL) <> (two IS NULL) OR elementId(one) <> elementId(two)
RETURN one {.*, embedding: null} AS before, two {.*, embedding: null} AS after, m.created_at AS created_at, m.id AS id
ORDER BY created_at DESC, id DESC
LIMIT $first

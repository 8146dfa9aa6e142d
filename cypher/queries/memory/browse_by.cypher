// Memories that meet every condition, in an order of choice, from a cursor on, as believed and true at a moment.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi AND ($summaries OR NOT m:Summary)
CALL (m) {
  WITH m
  WHERE m.recorded_from <= $known_at AND ($include_past OR (m.valid_from <= $as_of AND m.holds_to > $as_of))
  RETURN m AS node
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  WHERE v.recorded_from <= $known_at AND v.recorded_to > $known_at
    AND ($include_past OR (v.valid_from <= $as_of AND v.holds_to > $as_of))
  RETURN v AS node
}
WITH m, node
WHERE
// include: memory/parts/meets
WITH node, m.id AS id, node[$sort] AS key
WHERE $key IS NULL
  OR ($descending AND (key < $key OR (key = $key AND id < $id)))
  OR (NOT $descending AND (key > $key OR (key = $key AND id > $id)))
RETURN node {.*, embedding: null} AS state, id, key
ORDER BY CASE WHEN $descending THEN key END DESC, CASE WHEN NOT $descending THEN key END,
         CASE WHEN $descending THEN id END DESC, id
LIMIT $first

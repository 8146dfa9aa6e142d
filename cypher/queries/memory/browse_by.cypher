// Memories that meet every condition, in an order of choice, from a cursor on, as believed and true at a moment.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
CALL (m) {
  WITH m
  WHERE m.recorded_from <= $known_at AND ($include_past OR (m.valid_from <= $as_of AND m.holds_to > $as_of))
  RETURN m AS s
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  WHERE v.recorded_from <= $known_at AND v.recorded_to > $known_at
    AND ($include_past OR (v.valid_from <= $as_of AND v.holds_to > $as_of))
  RETURN v AS s
}
WITH m, s
WHERE all(c IN $conditions WHERE CASE c.operator
  WHEN 'EQ' THEN s[c.field] = c.value
  WHEN 'NE' THEN coalesce(s[c.field] <> c.value, true)
  WHEN 'IN' THEN s[c.field] IN c.value
  WHEN 'LT' THEN s[c.field] < c.value
  WHEN 'LTE' THEN s[c.field] <= c.value
  WHEN 'GT' THEN s[c.field] > c.value
  WHEN 'GTE' THEN s[c.field] >= c.value
  WHEN 'CONTAINS' THEN toLower(s[c.field]) CONTAINS toLower(c.value)
  WHEN 'EXISTS' THEN (s[c.field] IS NOT NULL) = c.value
  WHEN 'TRUST' THEN s.source_kind IN c.value OR s.confirmed_at IS NOT NULL
  WHEN 'ONE_IS' THEN c.value IN coalesce(s[c.field], [])
  WHEN 'PAIR_EQ' THEN c.value IN s.metadata_pairs
  WHEN 'PAIR_NE' THEN NOT c.value IN s.metadata_pairs
END)
WITH s, m.id AS id, s[$sort] AS key
WHERE $key IS NULL
  OR ($descending AND (key < $key OR (key = $key AND id < $id)))
  OR (NOT $descending AND (key > $key OR (key = $key AND id > $id)))
RETURN s {.*, embedding: null} AS state, id, key
ORDER BY CASE WHEN $descending THEN key END DESC, CASE WHEN NOT $descending THEN key END,
         CASE WHEN $descending THEN id END DESC, id
LIMIT $first

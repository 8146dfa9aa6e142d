// Whether a `node` meets every condition; for a condition.
all(c IN $conditions WHERE CASE c.operator
  WHEN 'EQ' THEN node[c.field] = c.value
  WHEN 'NE' THEN coalesce(node[c.field] <> c.value, true)
  WHEN 'IN' THEN node[c.field] IN c.value
  WHEN 'LT' THEN node[c.field] < c.value
  WHEN 'LTE' THEN node[c.field] <= c.value
  WHEN 'GT' THEN node[c.field] > c.value
  WHEN 'GTE' THEN node[c.field] >= c.value
  WHEN 'CONTAINS' THEN toLower(node[c.field]) CONTAINS toLower(c.value)
  WHEN 'EXISTS' THEN (node[c.field] IS NOT NULL) = c.value
  WHEN 'TRUST' THEN node.source_kind IN c.value OR node.confirmed_at IS NOT NULL
  WHEN 'ANY_IS' THEN any(one IN c.value WHERE one IN coalesce(node[c.field], []))
  WHEN 'PAIR_EQ' THEN c.value IN node.metadata_pairs
  WHEN 'PAIR_NE' THEN NOT c.value IN node.metadata_pairs
  WHEN 'MENTIONS' THEN coalesce(node.memory_id, node.id) IN c.value
END)

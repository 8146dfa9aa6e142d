// Whether a `node` meets every condition. A passage has other names for some fields, `said`, and lacks others.
all(c IN $conditions WHERE CASE c.operator
  WHEN 'EQ' THEN node[CASE WHEN node:Passage THEN c.said ELSE c.field END] = c.value
  WHEN 'NE' THEN coalesce(node[CASE WHEN node:Passage THEN c.said ELSE c.field END] <> c.value, true)
  WHEN 'IN' THEN node[CASE WHEN node:Passage THEN c.said ELSE c.field END] IN c.value
  WHEN 'LT' THEN node[CASE WHEN node:Passage THEN c.said ELSE c.field END] < c.value
  WHEN 'LTE' THEN node[CASE WHEN node:Passage THEN c.said ELSE c.field END] <= c.value
  WHEN 'GT' THEN node[CASE WHEN node:Passage THEN c.said ELSE c.field END] > c.value
  WHEN 'GTE' THEN node[CASE WHEN node:Passage THEN c.said ELSE c.field END] >= c.value
  WHEN 'CONTAINS' THEN toLower(node[CASE WHEN node:Passage THEN c.said ELSE c.field END]) CONTAINS toLower(c.value)
  WHEN 'EXISTS' THEN (node[CASE WHEN node:Passage THEN c.said ELSE c.field END] IS NOT NULL) = c.value
  WHEN 'TRUST' THEN node.source_kind IN c.value OR node.confirmed_at IS NOT NULL
  WHEN 'ANY_IS' THEN any(one IN c.value WHERE one IN coalesce(node[CASE WHEN node:Passage THEN c.said ELSE c.field END], []))
  WHEN 'PAIR_EQ' THEN c.value IN node.metadata_pairs
  WHEN 'PAIR_NE' THEN NOT c.value IN node.metadata_pairs
  WHEN 'MENTIONS' THEN coalesce(node.memory_id, node.id) IN c.value
END)

// The passages and live memories that a vector, words or the names of entities lead to, weighed by all that is seen of them, best first.
// include: recall/parts/live
// include: recall/parts/passages
// include: recall/parts/recent
// include: recall/parts/page
WITH row, row.node AS node, place, total, likeliest
RETURN
// include: recall/parts/state
  ,
// include: recall/parts/said
  , CASE WHEN node:Passage THEN node.picture END AS picture,
// include: recall/parts/found
  , [
  (node)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory WHERE older.status = 'ACTIVE' AND older.valid_from < older.valid_to AND ($trusted IS NULL OR older.source_kind IN $trusted OR older.confirmed_at IS NOT NULL)) |
  {id: older.id, text: older.text, until: older.valid_to, reason: r.reason}
] AS predecessors
ORDER BY place

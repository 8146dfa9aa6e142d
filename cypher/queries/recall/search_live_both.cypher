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
  ,
// include: recall/parts/before
  AS predecessors,
// include: recall/parts/contested
  AS contested_by
ORDER BY place

// The passages and states nearest to a vector and to words that were believed at a moment, true then or before, or put away, fused, best first.
// include: recall/parts/wide
// include: recall/parts/passages
// include: recall/parts/recent
// include: recall/parts/page
WITH row, row.node AS node, place, total, likeliest
// include: recall/parts/before_then
RETURN
// include: recall/parts/state
  ,
// include: recall/parts/said
  , CASE WHEN node:Passage THEN node.picture END AS picture,
// include: recall/parts/found
  , predecessors, [] AS contested_by
ORDER BY place

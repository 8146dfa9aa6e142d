// The states nearest to a vector and to words that were true and believed at a moment, fused, best first.
// include: recall/parts/past
// include: recall/parts/recent
WITH row
// include: recall/parts/page
WITH row, row.node AS node, place, total, likeliest
// include: recall/parts/before_then
RETURN
// include: recall/parts/state
  , null AS said,
// include: recall/parts/found
  , predecessors, [] AS contested_by
ORDER BY place

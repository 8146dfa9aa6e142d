// The passages that a vector or words lead to, weighed by all that is seen of them, best first.
UNWIND [] AS row
// include: recall/parts/passages
// include: recall/parts/page
WITH row, row.node AS node, place, total, likeliest
RETURN null AS state,
// include: recall/parts/said
  , node.picture AS picture,
// include: recall/parts/found
  , [] AS predecessors
ORDER BY place

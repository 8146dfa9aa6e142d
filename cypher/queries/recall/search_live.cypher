// The live memories that a vector, words or the names of entities lead to, weighed by all that is seen of them, best first.
// include: recall/parts/live
// include: recall/parts/recent
WITH row
// include: recall/parts/page
WITH row, row.node AS node, place, total, likeliest
RETURN
// include: recall/parts/state
  , null AS said,
// include: recall/parts/found
  ,
// include: recall/parts/before
  AS predecessors,
// include: recall/parts/contested
  AS contested_by
ORDER BY place

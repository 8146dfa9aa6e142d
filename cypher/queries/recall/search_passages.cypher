// The passages that a vector or words lead to, weighed by all that is seen of them, best first.
UNWIND [] AS row
// include: recall/parts/passages
// include: recall/parts/page
WITH row, row.node AS node, place, total, likeliest
RETURN null AS state,
// include: recall/parts/said
  , row.logit AS logit, coalesce(row.standing, row.logit) - row.logit AS ahead, node.picture AS picture, row.seen AS seen, likeliest, row.vector_rank AS vector_rank, row.text_rank AS text_rank, row.pool AS pool, place, total,
  [] AS predecessors
ORDER BY place

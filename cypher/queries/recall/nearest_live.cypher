// The live memories nearest to a vector, best first.
CALL () {
  MATCH (m:Live)
    SEARCH m IN (
      VECTOR INDEX memory_live FOR $vector
      WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
        AND m.tier_rank <= $tier_rank AND m.recorded_from <= $known_at AND m.valid_from <= $as_of AND m.holds_to > $as_of
      LIMIT $fetch
    )
  WITH m AS node, 2 * vector.similarity.cosine(m.embedding, $vector) - 1 AS cosine
  WHERE cosine >= $min_cosine AND
  // include: memory/parts/meets
  RETURN {
    node: node, seen: {cosine: cosine},
    logit: $weights.bias + $weights.cosine * (cosine - CASE WHEN node.tier_rank > 1 THEN $cold_handicap ELSE 0.0 END)
  } AS row
}
WITH row
// include: recall/parts/page
WITH row, row.node AS node, place, total, likeliest
RETURN
// include: recall/parts/state
  , null AS said, row.logit AS logit, row.logit AS standing, row.seen AS seen, likeliest, place + 1 AS vector_rank, null AS text_rank, 0 AS pool, place, total,
// include: recall/parts/before
  AS predecessors,
// include: recall/parts/contested
  AS contested_by
ORDER BY place

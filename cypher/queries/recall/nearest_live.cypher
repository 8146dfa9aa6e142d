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
  , null AS said, row.logit AS logit, row.logit AS standing, row.seen AS seen, likeliest, place + 1 AS vector_rank, null AS text_rank, 0 AS pool, place, total, [
  (node)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory WHERE older.status = 'ACTIVE' AND older.valid_from < older.valid_to AND ($trusted IS NULL OR older.source_kind IN $trusted OR older.confirmed_at IS NOT NULL)) |
  {id: older.id, text: older.text, until: older.valid_to, reason: r.reason}
] AS predecessors
ORDER BY place

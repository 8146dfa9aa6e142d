// The live memories nearest to a vector, best first.
CALL () {
  MATCH (m:Live)
    SEARCH m IN (
      VECTOR INDEX memory_live FOR $vector
      WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
        AND m.tier_rank <= $tier_rank AND m.recorded_from <= $known_at AND m.valid_from <= $as_of AND m.holds_to > $as_of
      LIMIT $fetch
    )
  WITH m, 2 * vector.similarity.cosine(m.embedding, $vector) - 1 AS cosine
  WHERE cosine >= $min_cosine AND ($trusted IS NULL OR m.source_kind IN $trusted OR m.confirmed_at IS NOT NULL)
  WITH m, cosine, $weights.bias + $weights.cosine * (cosine - CASE WHEN m.tier_rank > 1 THEN $cold_handicap ELSE 0.0 END) AS logit
  WHERE logit >= $min_logit
  RETURN m, cosine, logit
  ORDER BY logit DESC, m.id
  LIMIT $limit
}
WITH collect({node: m, cosine: cosine, logit: logit}) AS found
UNWIND range(0, size(found) - 1) AS i
WITH found[i].node AS node, found[i].logit AS logit, {cosine: found[i].cosine} AS seen, i + 1 AS vector_rank
RETURN
// include: recall/parts/state
  , logit, seen, vector_rank, null AS text_rank, 0 AS pool, [
  (node)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory WHERE older.status = 'ACTIVE' AND ($trusted IS NULL OR older.source_kind IN $trusted OR older.confirmed_at IS NOT NULL)) |
  {id: older.id, text: older.text, until: older.valid_to, reason: r.reason}
] AS predecessors

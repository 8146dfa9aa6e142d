// The states nearest to a vector and to words that were true and believed at a moment, fused, weighed: `row`.
CALL () {
  WITH $vector AS vector
  WHERE vector IS NOT NULL
  MATCH (alive:Live)
    SEARCH alive IN (
      VECTOR INDEX memory_live FOR $vector
      WHERE alive.tenant = $tenant AND alive.subject_id >= $lo AND alive.subject_id <= $hi
        AND alive.recorded_from <= $known_at AND alive.valid_from <= $as_of AND alive.holds_to > $as_of
      LIMIT $fetch
    )
  WITH alive AS node
  WHERE
  // include: memory/parts/meets
  RETURN node, 2 * vector.similarity.cosine(node.embedding, $vector) - 1 AS cosine, null AS text, 0 AS pool
  UNION ALL
  WITH $vector AS vector
  WHERE vector IS NOT NULL
  MATCH (p:Past)
    SEARCH p IN (
      VECTOR INDEX memory_past FOR $vector
      WHERE p.tenant = $tenant AND p.subject_id >= $lo AND p.subject_id <= $hi
        AND p.recorded_from <= $known_at AND p.valid_from <= $as_of AND p.holds_to > $as_of
        AND p.recorded_to > $known_at
      LIMIT $fetch
    )
  WITH p AS node
  WHERE
  // include: memory/parts/meets
  RETURN node, 2 * vector.similarity.cosine(node.embedding, $vector) - 1 AS cosine, null AS text, 0 AS pool
  UNION ALL
  WITH 'memory_live_text' AS index, $terms AS terms
  // include: recall/parts/words
  WITH node, words, pool
  WHERE node.tenant = $tenant AND node.subject_id >= $lo AND node.subject_id <= $hi AND node:Live
    AND node.recorded_from <= $known_at AND node.recorded_to > $known_at
    AND node.valid_from <= $as_of AND node.holds_to > $as_of
    AND
  // include: memory/parts/meets
  LIMIT $fetch
  RETURN node, null AS cosine, words AS text, pool AS pool
  UNION ALL
  WITH 'memory_past_text' AS index, $terms AS terms
  // include: recall/parts/words
  WITH node, words, pool
  WHERE node.tenant = $tenant AND node.subject_id >= $lo AND node.subject_id <= $hi AND node:Past
    AND node.recorded_from <= $known_at AND node.recorded_to > $known_at
    AND node.valid_from <= $as_of AND node.holds_to > $as_of
    AND
  // include: memory/parts/meets
  LIMIT $fetch
  RETURN node, null AS cosine, words AS text, pool AS pool
}
WITH node, max(cosine) AS cosine, max(text) AS text, max(pool) AS pool
WHERE text IS NOT NULL OR cosine >= $min_cosine
WITH collect({node: node, cosine: cosine, text: text, pool: pool}) AS found
UNWIND found AS hit
WITH hit.node AS node, hit.pool AS pool,
     CASE WHEN hit.cosine IS NULL THEN null ELSE 1 + size([other IN found WHERE other.cosine > hit.cosine]) END AS vector_rank,
     CASE WHEN hit.text IS NULL THEN null ELSE 1 + size([other IN found WHERE other.text > hit.text]) END AS text_rank,
     {
       cosine: coalesce(hit.cosine, 2 * vector.similarity.cosine(hit.node.embedding, $vector) - 1, 0.0),
       bare: coalesce(2 * vector.similarity.cosine(hit.node.embedding, $bare) - 1, hit.cosine,
         2 * vector.similarity.cosine(hit.node.embedding, $vector) - 1, 0.0),
       words: coalesce(hit.text, 0.0),
       author: CASE WHEN toLower(hit.node.source_author) IN $names THEN 1.0 ELSE 0.0 END,
       length: log(1 + size(hit.node.search_text))
     } AS seen
WITH {node: node, pool: pool, vector_rank: vector_rank, text_rank: text_rank, seen: seen, recent_weight: $weights.recent, logit: $weights.bias + $weights.cosine * seen.cosine + $weights.bare * seen.bare
  + $weights.words * seen.words + $weights.author * seen.author + $weights.length * seen.length} AS row

// The live memories that a vector, words or the names of entities lead to, weighed by all that is seen of them, weighed: `row`.
CALL () {
  WITH $vector AS vector
  WHERE vector IS NOT NULL
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
  WITH node, cosine
  ORDER BY cosine DESC, node.id
  WITH collect({node: node, cosine: cosine}) AS found
  UNWIND range(0, size(found) - 1) AS i
  RETURN found[i].node AS node, i + 1 AS vector_rank, null AS text_rank, 0.0 AS words, found[i].cosine AS cosine, 0.0 AS entity, 0 AS pool
  UNION ALL
  WITH 'memory_live_text' AS index, $terms AS terms
  // include: recall/parts/words
  WITH node, words, pool
  WHERE node.tenant = $tenant AND node.subject_id >= $lo AND node.subject_id <= $hi AND node:Live
    AND node.tier_rank <= $tier_rank AND node.recorded_from <= $known_at AND node.valid_from <= $as_of AND node.holds_to > $as_of
    AND
  // include: memory/parts/meets
  LIMIT $fetch
  WITH collect({node: node, words: words, pool: pool}) AS found
  UNWIND range(0, size(found) - 1) AS i
  RETURN found[i].node AS node, null AS vector_rank, i + 1 AS text_rank, found[i].words AS words, null AS cosine, 0.0 AS entity, found[i].pool AS pool
  UNION ALL
  CALL () {
    UNWIND $keys AS key
    WITH COLLECT {
      MATCH (e:Entity)
      USING INDEX e:Entity(tenant, key, subject_id)
      WHERE e.tenant = $tenant AND e.key = key AND e.subject_id >= $lo AND e.subject_id <= $hi
      RETURN e
      LIMIT $fetch + 1
    } AS bearers
    // A name that very many subjects know tells nothing of whom it means.
    WHERE size(bearers) <= $fetch
    UNWIND bearers AS e
    RETURN e
    UNION
    MATCH (e:Entity)
    WHERE e.tenant = $tenant AND e.subject_id >= $lo AND e.subject_id <= $hi AND e.alias_keys IS NOT NULL
      AND any(key IN e.alias_keys WHERE key IN $keys)
    RETURN e
  }
  MATCH (named:Entity {tenant: $tenant, id: coalesce(e.alias_of, e.id)})
  // Whom half of the memories mention, that tells nothing of which one is meant.
  WHERE named.link_count <= $fetch
  WITH DISTINCT named
  MATCH (named)<-[r:MENTIONS WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at]-(node:Live)
  WHERE node.tenant = $tenant AND node.subject_id >= $lo AND node.subject_id <= $hi
    AND node.tier_rank <= $tier_rank AND node.recorded_from <= $known_at AND node.valid_from <= $as_of AND node.holds_to > $as_of
    AND
  // include: memory/parts/meets
  RETURN node, null AS vector_rank, null AS text_rank, 0.0 AS words, null AS cosine, max(1 / (1 + log(named.link_count))) AS entity, 0 AS pool
  UNION ALL
  // Of few that meet the conditions none is missed, however far it is.
  WITH $conditions AS conditions
  WHERE size(conditions) > 0
  CALL () {
    MATCH (node:Live)
    WHERE node.tenant = $tenant AND node.subject_id >= $lo AND node.subject_id <= $hi
      AND node.pinned IS NOT NULL AND node.critical IS NOT NULL AND node.importance >= 0
      AND node.tier_rank <= $tier_rank AND node.recorded_from <= $known_at AND node.valid_from <= $as_of AND node.holds_to > $as_of
      AND
    // include: memory/parts/meets
    WITH node
    LIMIT $few + 1
    RETURN collect(node) AS nodes
  }
  WITH nodes
  WHERE size(nodes) <= $few
  UNWIND nodes AS node
  RETURN node, null AS vector_rank, null AS text_rank, 0.0 AS words, null AS cosine, 0.0 AS entity, 0 AS pool
}
WITH node, max(vector_rank) AS vector_rank, max(text_rank) AS text_rank, max(words) AS words, max(entity) AS entity, max(pool) AS pool,
     max(cosine) AS cosine
// In a step of its own: beside `max` it would be computed for those as well that have their cosine.
WITH node, vector_rank, text_rank, words, entity, pool,
     coalesce(cosine, 2 * vector.similarity.cosine(node.embedding, $vector) - 1, 0.0) AS cosine
WITH node, vector_rank, text_rank, words, entity, pool, cosine, cosine + $words_beside * words AS own
ORDER BY own + entity - CASE WHEN node.tier_rank > 1 THEN $cold_handicap ELSE 0.0 END DESC, node.id
LIMIT $expand
WITH max(pool) AS pool, collect({
  node: node, vector_rank: vector_rank, text_rank: text_rank, words: words, entity: entity, cosine: cosine, own: own,
  joined: 0, beside: 0.0
}) AS found
// Of two that stand beside each other both are told of the other; where both were found, each tells its own words.
CALL (found) {
  UNWIND found AS hit
  WITH hit, hit.node AS said
  // What was extracted stands by itself; of what is stored as it was said, what stands beside it tells more.
  WHERE said.session_id IS NOT NULL AND NOT EXISTS { (said)-[:EXTRACTED_FROM]->(:Message) }
  CALL (said) {
    MATCH (node:Live)
    WHERE node.tenant = $tenant AND node.session_id = said.session_id AND node.valid_from < said.valid_from
      AND node.holds_to > $as_of AND node.subject_id = said.subject_id AND node.tier_rank <= $tier_rank
      AND
    // include: memory/parts/meets
    WITH node
    ORDER BY node.valid_from DESC
    LIMIT 2
    WITH collect(node) AS others
    UNWIND range(0, size(others) - 1) AS i
    RETURN others[i] AS other, i = 0 AS is_next
    UNION ALL
    MATCH (node:Live)
    WHERE node.tenant = $tenant AND node.session_id = said.session_id AND node.valid_from > said.valid_from
      AND node.valid_from <= $as_of AND node.holds_to > $as_of AND node.subject_id = said.subject_id AND node.tier_rank <= $tier_rank
      AND
    // include: memory/parts/meets
    WITH node
    ORDER BY node.valid_from
    LIMIT 2
    WITH collect(node) AS others
    UNWIND range(0, size(others) - 1) AS i
    RETURN others[i] AS other, i = 0 AS is_next
  }
  WITH hit, other, is_next, coalesce(2 * vector.similarity.cosine(other.embedding, $vector) - 1, 0.0) AS cosine
  UNWIND [
    hit {.node, .cosine, .own, joined: 1, beside: CASE WHEN is_next THEN cosine ELSE 0.0 END},
    {node: other, cosine: cosine, own: cosine, joined: 1, beside: CASE WHEN is_next THEN hit.own ELSE 0.0 END}
  ] AS seen
  RETURN collect(seen) AS seen
}
UNWIND found + seen AS row
WITH row.node AS node, pool, max(row.vector_rank) AS vector_rank, max(row.text_rank) AS text_rank, max(row.cosine) AS cosine,
     coalesce(max(row.words), 0.0) AS words, coalesce(max(row.entity), 0.0) AS entity, max(row.own) AS own,
     max(row.joined) AS joined, max(row.beside) AS beside
WITH node.session_id AS session, pool, max(own) AS best, collect({
  node: node, vector_rank: vector_rank, text_rank: text_rank, own: own,
  cosine: cosine, words: words, entity: entity, joined: joined, beside: beside
}) AS rows
UNWIND rows AS row
WITH row, row.node AS node, pool, row {
  .cosine, .words, .entity, .beside,
  bare: coalesce(2 * vector.similarity.cosine(row.node.embedding, $bare) - 1, row.cosine),
  sitting: CASE WHEN session IS NULL THEN row.own ELSE best END,
  author: CASE WHEN toLower(row.node.source_author) IN $names THEN 1.0 ELSE 0.0 END,
  length: log(1 + size(row.node.search_text))
} AS seen
// What stands beside nothing is not worse for it.
WITH row, node, pool, seen, CASE WHEN row.joined = 0 THEN $apart ELSE $weights END AS weights
WITH row {.node, .vector_rank, .text_rank, seen: seen, pool: pool, recent_weight: weights.recent, logit: weights.bias
  + weights.cosine * seen.cosine + weights.bare * seen.bare
  - (weights.cosine + weights.bare) * CASE WHEN node.tier_rank > 1 THEN $cold_handicap ELSE 0.0 END
  + weights.words * seen.words + weights.entity * seen.entity + weights.author * seen.author
  + weights.length * seen.length + weights.beside * seen.beside + weights.sitting * seen.sitting} AS row

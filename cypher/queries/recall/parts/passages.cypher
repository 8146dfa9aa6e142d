// Adds to the `row` of each memory those of passages, found and weighed in the same way.
// The planner fails where what SEARCH names bears the name of another variable of the statement.
WITH collect(row) AS memories
CALL (memories) {
  CALL () {
    WITH $vector AS vector
    WHERE vector IS NOT NULL
    MATCH (spoken:Passage)
      SEARCH spoken IN (
        VECTOR INDEX passage FOR $vector
        WHERE spoken.tenant = $tenant AND spoken.subject_id >= $lo AND spoken.subject_id <= $hi
          AND spoken.created_at <= $known_at AND spoken.at <= $heard_by
        LIMIT $fetch
      )
    WITH spoken AS node, 2 * vector.similarity.cosine(spoken.embedding, $vector) - 1 AS cosine
    WHERE cosine >= $min_cosine AND
    // include: memory/parts/meets
    WITH node, cosine
    ORDER BY cosine DESC, node.id
    WITH collect({node: node, cosine: cosine}) AS found
    UNWIND range(0, size(found) - 1) AS i
    RETURN found[i].node AS node, i + 1 AS vector_rank, null AS text_rank, 0.0 AS words, found[i].cosine AS cosine, 0 AS pool
    UNION ALL
    WITH 'passage_text' AS index, $passage_terms AS terms
    // include: recall/parts/words
    WITH node, words, pool
    WHERE node.tenant = $tenant AND node.subject_id >= $lo AND node.subject_id <= $hi AND node:Passage
      AND node.created_at <= $known_at AND node.at <= $heard_by AND
    // include: memory/parts/meets
    LIMIT $fetch
    WITH collect({node: node, words: words, pool: pool}) AS found
    UNWIND range(0, size(found) - 1) AS i
    RETURN found[i].node AS node, null AS vector_rank, i + 1 AS text_rank, found[i].words AS words, null AS cosine, found[i].pool AS pool
  }
  WITH node, max(vector_rank) AS vector_rank, max(text_rank) AS text_rank, max(words) AS words, max(pool) AS pool, max(cosine) AS cosine
  WITH node, vector_rank, text_rank, words, pool, coalesce(cosine, 2 * vector.similarity.cosine(node.embedding, $vector) - 1, 0.0) AS cosine
  WITH node, vector_rank, text_rank, words, pool, cosine, cosine + $words_beside * words AS own
  ORDER BY own DESC, node.id
  LIMIT $expand
  WITH max(pool) AS pool, collect({
    node: node, vector_rank: vector_rank, text_rank: text_rank, words: words, cosine: cosine, own: own, joined: 0, beside: 0.0
  }) AS found
  CALL (found) {
    UNWIND found AS hit
    WITH hit, hit.node AS middle
    UNWIND [-2, -1, 1, 2] AS step
    MATCH (node:Message {tenant: $tenant, segment_id: middle.segment_id, position: middle.position + step})
    WHERE node:Passage AND node.subject_id = middle.subject_id AND node.created_at <= $known_at AND node.at <= $heard_by AND
    // include: memory/parts/meets
    WITH hit, node, abs(step) = 1 AS is_next, coalesce(2 * vector.similarity.cosine(node.embedding, $vector) - 1, 0.0) AS cosine
    UNWIND [
      hit {.node, .cosine, .own, joined: 1, beside: CASE WHEN is_next THEN cosine ELSE 0.0 END},
      {node: node, cosine: cosine, own: cosine, joined: 1, beside: CASE WHEN is_next THEN hit.own ELSE 0.0 END}
    ] AS seen
    RETURN collect(seen) AS seen
  }
  UNWIND found + seen AS hit
  WITH hit.node AS node, pool, max(hit.vector_rank) AS vector_rank, max(hit.text_rank) AS text_rank, max(hit.cosine) AS cosine,
       coalesce(max(hit.words), 0.0) AS words, max(hit.own) AS own, max(hit.joined) AS joined, max(hit.beside) AS beside
  WITH node.segment_id AS segment, pool, max(own) AS best, collect({
    node: node, vector_rank: vector_rank, text_rank: text_rank,
    cosine: cosine, words: words, joined: joined, beside: beside
  }) AS hits
  UNWIND hits AS hit
  WITH hit, pool, hit {
    .cosine, .words, .beside, entity: 0.0, sitting: best,
    bare: coalesce(2 * vector.similarity.cosine(hit.node.embedding, $bare) - 1, hit.cosine),
    author: CASE WHEN toLower(hit.node.speaker) IN $names THEN 1.0 ELSE 0.0 END,
    length: log(1 + size(hit.node.text) + size(hit.node.speaker) + coalesce(size(hit.node.picture), 0))
  } AS seen
  WITH hit, pool, seen, CASE WHEN hit.joined = 0 THEN $apart ELSE $weights END AS weights
  WITH hit, pool, seen, weights, hit.node AS node
  RETURN collect(hit {
    .node, .vector_rank, .text_rank, seen: seen, pool: pool, taken: [(memory:Memory)-[:EXTRACTED_FROM]->(node) | memory.id],
    logit: weights.bias + weights.cosine * seen.cosine + weights.bare * seen.bare + weights.words * seen.words
      + weights.author * seen.author + weights.length * seen.length + weights.beside * seen.beside + weights.sitting * seen.sitting
  }) AS passages
}
// Where a memory and what it was taken from were found, the memory stands for both, with the better score, and both are read.
WITH memories, passages, [kept IN memories | coalesce(kept.node.memory_id, kept.node.id)] AS ids
UNWIND [kept IN memories | kept {.*, logit: reduce(best = kept.logit, heard IN passages |
    CASE WHEN heard.logit > best AND coalesce(kept.node.memory_id, kept.node.id) IN heard.taken THEN heard.logit ELSE best END),
    heard: head([heard IN passages WHERE coalesce(kept.node.memory_id, kept.node.id) IN heard.taken | heard.node])
  }] + [heard IN passages WHERE NOT any(id IN heard.taken WHERE id IN ids)] AS row
WITH row

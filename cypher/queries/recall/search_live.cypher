// The live memories nearest to a vector and to words, fused, best first.
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
  WITH m, 2 * vector.similarity.cosine(m.embedding, $vector) - 1 AS cosine
  WHERE cosine >= $min_cosine AND ($trusted IS NULL OR m.source_kind IN $trusted OR m.confirmed_at IS NOT NULL)
  ORDER BY cosine DESC, m.id
  WITH collect({node: m, cosine: cosine}) AS found
  UNWIND range(0, size(found) - 1) AS i
  RETURN found[i].node AS node, i + 1 AS vector_rank, null AS text_rank, 0.0 AS text, found[i].cosine AS cosine
  UNION ALL
  WITH $terms AS terms
  WHERE terms <> ''
  CALL db.index.fulltext.queryNodes('memory_live_text',
    '+tenant:' + $tenant + '^0 ' + CASE WHEN $lo = $hi THEN '+subject_id:' + $lo + '^0 ' ELSE '' END + terms,
    {limit: $read}) YIELD node, score
  // Each word adds 1 and a bit of its own to the score, so the score tells which of the words a memory has.
  WITH toInteger(round((score - floor(score)) * 65536)) AS marks, collect(node) AS nodes
  WITH collect({marks: marks, nodes: nodes}) AS groups, sum(size(nodes)) AS pool
  WITH groups, pool, [bit IN $bits |
    reduce(count = 0, one IN groups | CASE WHEN one.marks / bit % 2 = 1 THEN count + size(one.nodes) ELSE count END)] AS counts
  WITH groups, pool, [count IN counts | log(1 + (pool - count + 0.5) / (count + 0.5))] AS rarities
  WITH groups, pool, rarities, reduce(sum = 0.0, rarity IN rarities | sum + rarity) AS whole
  UNWIND groups AS one
  WITH one.nodes AS nodes, pool, CASE WHEN one.marks = 0 THEN 1.0 / (size($bits) + 1) ELSE
    reduce(sum = 0.0, i IN range(0, size($bits) - 1) | CASE WHEN one.marks / $bits[i] % 2 = 1 THEN sum + rarities[i] ELSE sum END) / whole
  END AS words
  UNWIND nodes AS node
  WITH node, words, pool
  ORDER BY words DESC, elementId(node)
  WITH node, words, pool
  WHERE node.tenant = $tenant AND node.subject_id >= $lo AND node.subject_id <= $hi AND node:Live
    AND node.tier_rank <= $tier_rank AND node.recorded_from <= $known_at AND node.valid_from <= $as_of AND node.holds_to > $as_of
    AND ($trusted IS NULL OR node.source_kind IN $trusted OR node.confirmed_at IS NOT NULL)
  LIMIT $fetch
  WITH collect({node: node, words: words, pool: pool}) AS found
  UNWIND range(0, size(found) - 1) AS i
  RETURN found[i].node AS node, null AS vector_rank, i + 1 AS text_rank, found[i].words AS text, null AS cosine
}
WITH node, max(vector_rank) AS vector_rank, max(text_rank) AS text_rank, max(text) AS text, max(cosine) AS cosine
WITH node, vector_rank, text_rank,
     $text_weight * text + coalesce(cosine, 2 * vector.similarity.cosine(node.embedding, $vector) - 1, 0.0) AS own
ORDER BY own - CASE WHEN node.tier_rank > 1 THEN $cold_handicap ELSE 0.0 END DESC, node.id
LIMIT $expand
WITH collect({node: node, vector_rank: vector_rank, text_rank: text_rank, own: own, other: 0.0}) AS found
CALL (found) {
  UNWIND found AS hit
  WITH found, hit, hit.node AS node
  WHERE node.session_id IS NOT NULL
  CALL (node) {
    MATCH (earlier:Live)
    WHERE earlier.tenant = $tenant AND earlier.session_id = node.session_id AND earlier.valid_from < node.valid_from
      AND earlier.holds_to > $as_of AND earlier.subject_id = node.subject_id AND earlier.tier_rank <= $tier_rank
    AND ($trusted IS NULL OR earlier.source_kind IN $trusted OR earlier.confirmed_at IS NOT NULL)
    RETURN earlier AS beside
    ORDER BY earlier.valid_from DESC
    LIMIT 1
    UNION ALL
    MATCH (later:Live)
    WHERE later.tenant = $tenant AND later.session_id = node.session_id AND later.valid_from > node.valid_from
      AND later.valid_from <= $as_of AND later.holds_to > $as_of AND later.subject_id = node.subject_id AND later.tier_rank <= $tier_rank
    AND ($trusted IS NULL OR later.source_kind IN $trusted OR later.confirmed_at IS NOT NULL)
    RETURN later AS beside
    ORDER BY later.valid_from
    LIMIT 1
  }
  WITH hit, beside, coalesce(
    head([same IN found WHERE same.node = beside | same.own]),
    2 * vector.similarity.cosine(beside.embedding, $vector) - 1,
    0.0) AS own
  RETURN collect({hit: hit, beside: beside, own: own}) AS pairs
}
UNWIND found
  + [pair IN pairs | {node: pair.hit.node, own: pair.hit.own, other: pair.own}]
  + [pair IN pairs | {node: pair.beside, own: pair.own, other: pair.hit.own}] AS row
WITH row.node AS node, max(row.vector_rank) AS vector_rank, max(row.text_rank) AS text_rank, max(row.own) AS own, max(row.other) AS other
WITH node, vector_rank, text_rank,
     own + $beside_weight * other + CASE WHEN toLower(node.source_author) IN $names THEN $author_weight ELSE 0.0 END
       - CASE WHEN node.tier_rank > 1 THEN $cold_handicap ELSE 0.0 END AS score
ORDER BY score DESC, node.id
LIMIT $limit
RETURN node {
  .id, .memory_id, .subject_id, .text, .caption, .heading, .kind, .tags, .labels, .metadata, .status, .confidence, .importance,
  .base_importance, .tier, .retention, .feedback, .critical, .pinned, .access_count, .last_accessed_at, .happens_at, .expires_at, .valid_from, .valid_to, .holds_to,
  .recorded_from, .recorded_to, .created_at, .updated_at, .chain_id, .session_id, .agent_id, .source_kind, .source_ref, .source_author, .confirmed_at
} AS state, score, vector_rank, text_rank, 0 AS text_read, [
  (node)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory WHERE older.status = 'ACTIVE' AND ($trusted IS NULL OR older.source_kind IN $trusted OR older.confirmed_at IS NOT NULL)) |
  {id: older.id, text: older.text, until: older.valid_to, reason: r.reason}
] AS predecessors

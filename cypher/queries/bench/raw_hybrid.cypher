// What the plain driver would ask both indexes, in one statement.
CALL () {
  MATCH (m:Live)
    SEARCH m IN (
      VECTOR INDEX memory_live FOR $vector
      WHERE m.tenant = $tenant AND m.valid_from <= $as_of AND m.holds_to > $as_of
      LIMIT $limit
    ) SCORE AS score
  RETURN m AS node, score
  UNION ALL
  CALL db.index.fulltext.queryNodes('memory_live_text', '+tenant:' + $tenant + ' +(' + $terms + ')', {limit: $limit})
  YIELD node, score
  RETURN node, score
}
RETURN node {.*, embedding: null} AS state, max(score) AS score
ORDER BY score DESC
LIMIT $limit

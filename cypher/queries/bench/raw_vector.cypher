// What the plain driver would ask the vector index.
MATCH (m:Live)
  SEARCH m IN (
    VECTOR INDEX memory_live FOR $vector
    WHERE m.tenant = $tenant AND m.valid_from <= $as_of AND m.holds_to > $as_of
    LIMIT $limit
  ) SCORE AS score
RETURN m {.*, embedding: null} AS state, score
ORDER BY score DESC

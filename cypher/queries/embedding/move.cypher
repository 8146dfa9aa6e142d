// Puts the vectors of the next model in the place of the others.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.id >= '' AND m.embedding_model <> $model AND m.embedding_next IS NOT NULL
  RETURN m AS s
  UNION ALL
  MATCH (r:Revision)
  WHERE r.tenant = $tenant AND r.id >= '' AND r.embedding_model <> $model AND r.embedding_next IS NOT NULL
  RETURN r AS s
  UNION ALL
  MATCH (p:Message)
  WHERE p.tenant = $tenant AND p.id >= '' AND p.embedding_model <> $model AND p.embedding_next IS NOT NULL
  RETURN p AS s
}
CALL (s) {
  SET s.embedding = s.embedding_next, s.embedding_model = $model, s.unembedded = null
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(s) AS moved

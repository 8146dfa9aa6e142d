// Removes the second vectors.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.id >= '' AND m.embedding_next IS NOT NULL
  RETURN m AS s
  UNION ALL
  MATCH (r:Revision)
  WHERE r.tenant = $tenant AND r.id >= '' AND r.embedding_next IS NOT NULL
  RETURN r AS s
  UNION ALL
  MATCH (p:Message)
  WHERE p.tenant = $tenant AND p.id >= '' AND p.embedding_next IS NOT NULL
  RETURN p AS s
}
CALL (s) {
  SET s.embedding_next = null
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(s) AS cleaned

// I13: states whose vector is missing, of another model or size, not finite, or without length.
CALL () {
  MATCH (s:Memory)
  WHERE s.tenant = $tenant AND s.id >= ''
  RETURN s
  UNION ALL
  MATCH (s:Revision)
  WHERE s.tenant = $tenant AND s.id >= ''
  RETURN s
}
WITH s
WHERE (s.embedding IS NULL AND s:Live)
   OR (s.embedding IS NOT NULL AND NOT coalesce(
     size(s.embedding) = $dimension AND s.embedding_model = $model
     AND 1e-30 < reduce(squares = 0.0, x IN s.embedding | squares + x * x) < 1e38, false))
WITH s.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

// I13: states and passages whose vector is missing, of another model or size, not finite, or without length.
CALL () {
  MATCH (s:Memory)
  WHERE s.tenant = $tenant AND s.id >= ''
  RETURN s
  UNION ALL
  MATCH (s:Revision)
  WHERE s.tenant = $tenant AND s.id >= ''
  RETURN s
  UNION ALL
  MATCH (s:Message)
  WHERE s.tenant = $tenant AND s.id >= '' AND (s:Passage OR s.embedding IS NOT NULL)
  RETURN s
}
WITH s
WHERE (s.embedding IS NULL AND (s:Live OR s:Passage)
     AND NOT coalesce(s.embedding_model = 'PENDING' AND (s.unembedded = true OR s.embedding_next IS NOT NULL), false))
   OR (s.embedding IS NOT NULL AND NOT coalesce(
     size(s.embedding) = $models[s.embedding_model]
     AND 1e-30 < reduce(squares = 0.0, x IN s.embedding | squares + x * x) < 1e38, false))
WITH s.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

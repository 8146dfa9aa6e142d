// Gives vectors to states that waited for them and still say the same.
OPTIONAL MATCH (space:VectorSpace {role: 'store'})
UNWIND $rows AS row
CALL (row) {
  MATCH (s:Memory {tenant: $tenant, id: row.id})
  RETURN s
  UNION ALL
  MATCH (s:Revision {tenant: $tenant, id: row.id})
  RETURN s
}
WITH space, row, s
WHERE s.unembedded = true AND s.content_hash = row.hash
WITH row, s, coalesce($model IN space.refused, false) AS is_refused, coalesce($model = space.next_model, false) AS is_next
WHERE is_next OR NOT is_refused
SET s.unembedded = null,
    s.embedding_next = CASE WHEN is_next THEN row.vector ELSE s.embedding_next END,
    s.embedding = CASE WHEN is_refused THEN null ELSE row.vector END,
    s.embedding_model = CASE WHEN is_refused THEN 'PENDING' ELSE $model END
RETURN count(s) AS filled

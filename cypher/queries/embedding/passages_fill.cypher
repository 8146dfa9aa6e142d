// Gives vectors to passages that waited for them and still say the same.
OPTIONAL MATCH (space:VectorSpace {role: 'store'})
UNWIND $rows AS row
CALL (row) {
  MATCH (s:Message {tenant: $tenant, id: row.id})
  WHERE s.unembedded = true AND s:Passage
  // include: embedding/parts/said
  WITH s, hash
  WHERE hash = row.hash
  RETURN s
}
WITH row, s, coalesce($model IN space.refused, false) AS is_refused, coalesce($model = space.next_model, false) AS is_next
WHERE is_next OR NOT is_refused
SET s.unembedded = null,
    s.embedding_next = CASE WHEN is_next THEN row.vector ELSE s.embedding_next END,
    s.embedding = CASE WHEN is_refused THEN null ELSE row.vector END,
    s.embedding_model = CASE WHEN is_refused THEN 'PENDING' ELSE $model END
RETURN count(s) AS filled

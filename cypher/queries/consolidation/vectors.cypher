// The vectors of a subject's live memories, by id from a cursor on.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.id > $after AND m.holds_to IS NOT NULL
WITH m,
     CASE
       WHEN m.embedding IS NOT NULL AND ($model IS NULL OR m.embedding_model = $model) THEN m.embedding
       WHEN $uses_next THEN m.embedding_next
     END AS vector
WHERE vector IS NOT NULL
RETURN m.id AS id, m.content_hash AS content_hash, vector
ORDER BY id
LIMIT $first

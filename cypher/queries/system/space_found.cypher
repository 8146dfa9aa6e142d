// The models of some vectors of the store.
MATCH (m:Memory)
WHERE m.embedding_model IS NOT NULL AND m.embedding_model <> 'PENDING'
WITH m
LIMIT 1000
RETURN DISTINCT m.embedding_model AS model

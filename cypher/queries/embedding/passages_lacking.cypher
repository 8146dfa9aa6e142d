// Some passages that lack the vector of the next model, by id, from a cursor on, with what they say.
MATCH (s:Message)
WHERE s.tenant = $tenant AND s.id > $after AND s.embedding_next IS NULL AND s:Passage
WITH s
ORDER BY s.tenant, s.id
LIMIT $limit
// include: embedding/parts/said
RETURN s.id AS id, said, hash
ORDER BY id

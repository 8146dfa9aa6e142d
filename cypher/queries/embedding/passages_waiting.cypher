// Some passages that wait for their vector, with what they say.
MATCH (s:Message)
WHERE s.tenant = $tenant AND s.unembedded = true AND s:Passage
WITH s
LIMIT $limit
// include: embedding/parts/said
RETURN s.id AS id, said, hash

// The communities whose summary is nearest to a vector, best first. A subject has few, so each is compared.
MATCH (s:Summary)
WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi AND s:Memory AND s.status = 'ACTIVE' AND s.embedding IS NOT NULL
WITH s, 2 * vector.similarity.cosine(s.embedding, $vector) - 1 AS cosine
WHERE cosine >= $min_cosine
RETURN s.community_id AS community, cosine
ORDER BY cosine DESC, community
LIMIT $first

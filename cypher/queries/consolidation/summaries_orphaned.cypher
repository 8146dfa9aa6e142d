// The summaries of a subject whose community has ended or become too small.
MATCH (s:Summary)
WHERE s.tenant = $tenant AND s.subject_id = $subject AND s:Memory AND s.status = 'ACTIVE'
OPTIONAL MATCH (c:Community {tenant: $tenant, id: s.community_id})
WITH s, c
WHERE c IS NULL OR c.ended_at IS NOT NULL OR c.size < $least
RETURN s.id AS id
ORDER BY id

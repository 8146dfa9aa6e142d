// Closes what waits and can be decided no more since the clock has ended one of its memories, a batch at a time; says how many.
MATCH (r:Review)
WHERE r.tenant = $tenant AND r.status = 'PENDING' AND r.created_at >= $ever
// include: reviews/parts/gone
WHERE gone IS NOT NULL
WITH r
LIMIT $limit
// Whoever decides it meanwhile comes first: what holds once it is locked counts.
SET r.expires_at = r.expires_at
WITH r
WHERE r.status = 'PENDING'
// include: reviews/parts/gone
WHERE gone IS NOT NULL
SET r.status = 'EXPIRED', r.note = why, r.decided_at = $now
RETURN count(r) AS closed

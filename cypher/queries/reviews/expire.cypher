// Expires reviews that nobody decided in time, a batch at a time; says how many.
MATCH (r:Review)
WHERE r.tenant = $tenant AND r.status = 'PENDING' AND r.created_at >= $ever AND r.expires_at <= $now
WITH r
LIMIT $limit
// Whoever decides it meanwhile comes first: what holds once it is locked counts.
SET r.expires_at = r.expires_at
WITH r
WHERE r.status = 'PENDING'
SET r.status = 'EXPIRED', r.decided_at = $now
RETURN count(r) AS expired

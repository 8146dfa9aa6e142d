// Removes reviews that were decided or expired before a moment, a batch at a time; says how many.
MATCH (r:Review)
WHERE r.tenant = $tenant AND r.status IN $statuses AND r.created_at >= $ever AND r.decided_at <= $before
WITH r
LIMIT $limit
DETACH DELETE r
RETURN count(*) AS removed

// Removes communities that ended before a moment, with what is told of them.
MATCH (c:Community)
WHERE c.tenant = $tenant AND c.id >= '' AND c.ended_at < $before
WITH c
LIMIT $limit
DETACH DELETE c
RETURN count(*) AS removed

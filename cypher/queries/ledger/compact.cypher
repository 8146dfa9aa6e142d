// Empties the payload of changes from before a moment, a batch at a time; says how many.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.at < $before AND c.emptied_at IS NULL
WITH c
LIMIT $limit
SET c.before = null, c.after = null, c.effects = null, c.salt = null, c.emptied_at = $now
RETURN count(c) AS emptied

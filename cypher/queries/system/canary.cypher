// Writes to the store's own record, to see that it can be written; no row when there is no such record yet.
MATCH (n:Migration)
WHERE n.version = 0
SET n.canary_at = $now
RETURN n.canary_at AS at

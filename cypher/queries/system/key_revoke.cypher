// Ends a key, named by its prefix or its id, of any tenant or of one; a key that has ended keeps its first end.
MATCH (k:ApiKey)
WHERE (k.prefix = $name OR k.id = $name) AND ($tenant IS NULL OR k.tenant = $tenant)
SET k.revoked_at = coalesce(k.revoked_at, $now)
RETURN k {.*, hash: null, salt: null} AS key

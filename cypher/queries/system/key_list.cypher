// Every key, oldest first, without what its secret could be compared with.
MATCH (k:ApiKey)
WHERE $tenant IS NULL OR k.tenant = $tenant
RETURN k {.*, hash: null, salt: null} AS key
ORDER BY k.created_at, k.id

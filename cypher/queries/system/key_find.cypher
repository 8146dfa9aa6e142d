// The keys of a prefix that are neither revoked nor expired, with what is needed to compare a secret.
MATCH (k:ApiKey)
WHERE k.prefix = $prefix AND k.revoked_at IS NULL AND coalesce(k.expires_at > $now, true)
RETURN k {.*} AS key

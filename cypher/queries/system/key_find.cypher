// The keys of a prefix that are not revoked, with what is needed to compare a secret.
MATCH (k:ApiKey)
WHERE k.prefix = $prefix AND k.revoked_at IS NULL
RETURN k {.*} AS key

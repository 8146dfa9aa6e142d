// The keys of a prefix, those that have ended too, with what is needed to compare a secret.
MATCH (k:ApiKey)
WHERE k.prefix = $prefix
RETURN k {.*} AS key

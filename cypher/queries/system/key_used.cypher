// Remembers when a key was last used.
MATCH (k:ApiKey {id: $id})
SET k.last_used_at = $now

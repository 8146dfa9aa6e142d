// The migrations that this store has.
MATCH (n:Migration)
WHERE n.version > 0
RETURN n.version AS version, n.name AS name, n.checksum AS checksum
ORDER BY version

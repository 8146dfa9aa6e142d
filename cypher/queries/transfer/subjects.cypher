// The subjects, by name, from a cursor on.
MATCH (n:Subject)
WHERE n.tenant = $tenant AND n.id >= $lo AND n.id <= $hi AND n.name > $after
RETURN n.name AS cursor, labels(n) AS labels, n {.*} AS properties, false AS is_now
ORDER BY cursor
LIMIT $first

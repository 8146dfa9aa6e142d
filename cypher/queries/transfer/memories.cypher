// The memories, by id, from a cursor on.
MATCH (n:Memory)
WHERE n.tenant = $tenant AND n.id > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH n
ORDER BY n.tenant, n.id
LIMIT $first
RETURN n.id AS cursor, labels(n) AS labels, n {.*} AS properties, n.status <> 'RETRACTED' AS is_now
ORDER BY cursor

// The reviews, by id, from a cursor on.
MATCH (n:Review)
WHERE n.tenant = $tenant AND n.id > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH n
ORDER BY n.tenant, n.id
LIMIT $first
RETURN n.id AS cursor, labels(n) AS labels, n {.*} AS properties, false AS is_now
ORDER BY cursor

// The ledger, by sequence, from a cursor on.
MATCH (n:Change)
WHERE n.tenant = $tenant AND n.sequence > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH n
ORDER BY n.tenant, n.sequence
LIMIT $first
RETURN n.sequence AS cursor, labels(n) AS labels, n {.*} AS properties, false AS is_now
ORDER BY cursor

// The ledger, by sequence, from a cursor on.
MATCH (n:Change)
WHERE n.tenant = $tenant AND n.sequence > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
RETURN n.sequence AS cursor, labels(n) AS labels, n {.*} AS properties, false AS is_now
ORDER BY cursor
LIMIT $first

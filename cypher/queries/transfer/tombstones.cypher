// What keeps erased texts out, by hash and subject, from a cursor on.
MATCH (n:Tombstone)
WHERE n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: n.subject_id})
WITH n, n.hash + s.name AS cursor
WHERE cursor > $after
RETURN cursor, labels(n) AS labels, n {.*} AS properties, false AS is_now
ORDER BY cursor
LIMIT $first

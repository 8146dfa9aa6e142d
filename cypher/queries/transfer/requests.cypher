// The requests, by id, from a cursor on; of one subject those that changed something there.
MATCH (n:Request)
WHERE n.tenant = $tenant AND n.id > $after AND ($subject IS NULL OR EXISTS {
  MATCH (c:Change)
  WHERE c.tenant = $tenant AND c.request_id = n.id AND c.subject_id = $subject
})
WITH n
ORDER BY n.tenant, n.id
LIMIT $first
RETURN n.id AS cursor, labels(n) AS labels, n {.*} AS properties, false AS is_now
ORDER BY cursor

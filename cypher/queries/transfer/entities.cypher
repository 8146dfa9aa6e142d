// The entities, by id, from a cursor on; each with whether a memory that counts now mentions it or states something of it.
MATCH (n:Entity)
WHERE n.tenant = $tenant AND n.id > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH n
ORDER BY n.tenant, n.id
LIMIT $first
RETURN n.id AS cursor, labels(n) AS labels, n {.*} AS properties, EXISTS {
  MATCH (n)<-[:OF]-{0,1}()<-[r:MENTIONS|STATES]-(m:Memory)
  WHERE r.recorded_to = $forever AND m.status <> 'RETRACTED'
} AS is_now
ORDER BY cursor

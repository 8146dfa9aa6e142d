// The attributes of entities, by id, from a cursor on; each with whether a memory that counts now states it.
MATCH (n:Attribute)
WHERE n.tenant = $tenant AND n.id > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH n
ORDER BY n.tenant, n.id
LIMIT $first
RETURN n.id AS cursor, labels(n) AS labels, n {.*} AS properties, EXISTS {
  MATCH (n)<-[r:STATES]-(m:Memory)
  WHERE r.recorded_to = $forever AND m.status <> 'RETRACTED'
} AS is_now
ORDER BY cursor

// The relationships that begin at each attribute, by id, from a cursor on.
MATCH (n:Attribute)
WHERE n.tenant = $tenant AND n.id > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH n
ORDER BY n.tenant, n.id
LIMIT $first
RETURN n.id AS cursor, COLLECT {
  MATCH (n)-[r]->(other:Entity)
  WHERE NOT type(r) IN $implied
  RETURN {kind: type(r), to: other.id, properties: properties(r), is_now: EXISTS {
    MATCH (n)<-[s:STATES]-(m:Memory)
    WHERE s.recorded_to = $forever AND m.status <> 'RETRACTED'
  }}
} AS links
ORDER BY cursor

// What became of each community, by id, from a cursor on.
MATCH (n:Community)
WHERE n.tenant = $tenant AND n.id > $after AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH n
ORDER BY n.tenant, n.id
LIMIT $first
RETURN n.id AS cursor, COLLECT {
  MATCH (n)-[r]->(other)
  WHERE NOT type(r) IN $implied AND other.tenant = $tenant AND other.subject_id >= $lo AND other.subject_id <= $hi
  RETURN {kind: type(r), to: other.id, properties: properties(r), is_now: r.at >= $forever}
} AS links
ORDER BY cursor

// What became of each community, and what it came from, newest first.
UNWIND $ids AS id
MATCH (c:Community {tenant: $tenant, id: id})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi
RETURN id, COLLECT {
  MATCH (c)-[r:BECAME]-()
  WITH DISTINCT r
  RETURN r {.kind, .at, .size, .joined, .left, from_id: startNode(r).id, to_id: endNode(r).id}
  ORDER BY r.at DESC, r.kind
  LIMIT 1000
} AS events

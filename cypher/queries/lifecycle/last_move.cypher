// What last changed a memory's status, or kept it from coming back; and whether another memory stands in its place.
MATCH (m:Memory {tenant: $tenant, id: $id})
OPTIONAL CALL (m) {
  MATCH (c:Change)-[:CHANGED]->(m)
  WHERE c.tenant = $tenant
    AND (c.operation IN ['ARCHIVE', 'RESTORE', 'DELETE', 'MERGE', 'UNDO'] OR c.operation = 'NOOP' AND c.classification = 'LIVE_TWIN')
  RETURN c
  ORDER BY c.sequence DESC
  LIMIT 1
}
RETURN c.operation AS operation, c.classification AS rule,
       EXISTS { (m)<-[r:SUPERSEDES]-() WHERE r.open_key IS NOT NULL } AS is_superseded

// Carries what some memories state of one entity over to another.
MATCH (a:Entity {tenant: $tenant, id: $start}), (b:Entity {tenant: $tenant, id: $to})
WHERE a.subject_id = $subject AND b.subject_id = $subject
CALL (a, b) {
  MATCH (a)-[r:RELATES_TO]->(other)
  WHERE r.memory_id IN $memories
  CREATE (b)-[moved:RELATES_TO]->(other)
  SET moved = properties(r)
  DELETE r
}
CALL (a, b) {
  MATCH (a)<-[r:RELATES_TO]-(other)
  WHERE r.memory_id IN $memories
  CREATE (b)<-[moved:RELATES_TO]-(other)
  SET moved = properties(r)
  DELETE r
}

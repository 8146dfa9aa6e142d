// Tells what became of communities, and forgets the oldest of what it told of each, but for its birth.
UNWIND $rows AS row
MATCH (a:Community {tenant: $tenant, id: row.from}), (b:Community {tenant: $tenant, id: row.to})
CREATE (a)-[:BECAME {
  tenant: $tenant, kind: row.kind, at: $now, size: row.size, joined: row.joined, left: row.left, run_id: $run_id
}]->(b)
WITH DISTINCT a
CALL (a) {
  MATCH (a)-[r:BECAME]->()
  WHERE r.kind <> 'BORN'
  WITH r
  ORDER BY r.at DESC
  SKIP toInteger($most)
  DELETE r
}
RETURN count(*) AS told

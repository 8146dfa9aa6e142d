// Joins each new memory to the few others that share its rarest entities. Formula: graph_memory/memory/sharing.py.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject AND m:Live
CALL (m) {
  MATCH (m)-[a:MENTIONS WHERE a.recorded_to = $forever]->(e:Entity)
  CALL (e) {
    MATCH (e)<-[b:MENTIONS WHERE b.recorded_to = $forever]-(n:Memory)
    WITH n
    LIMIT $most + 1
    RETURN collect(n) AS those
  }
  WITH m, e, those
  WHERE size(those) <= $most
  UNWIND those AS n
  WITH m, n, sum(1 / log(1 + size(those))) AS weight, collect(e.name) AS names
  WHERE n:Live AND n <> m AND n.subject_id = $subject
  RETURN n, weight, names
  ORDER BY weight DESC, n.id
  LIMIT $keep
}
MERGE (m)-[r:SHARES_ENTITY]-(n)
SET r.tenant = $tenant, r.weight = weight, r.names = names, r.weighed_at = $now

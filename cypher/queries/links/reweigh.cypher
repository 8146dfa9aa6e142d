// Weighs anew which memories share the rarest entities, in batches. Formula: graph_memory/memory/sharing.py.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
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
  WHERE n:Live AND n <> m AND n.tenant = $tenant AND n.subject_id = m.subject_id
  ORDER BY weight DESC, n.id
  LIMIT $keep
  MERGE (m)-[r:SHARES_ENTITY]-(n)
  SET r.tenant = $tenant, r.weight = weight, r.names = names, r.weighed_at = $at
} IN TRANSACTIONS OF $batch ROWS
RETURN count(m) AS reweighed

// Joins each new memory to the few others that share its rarest entities. Formula: graph_memory/memory/sharing.py.
UNWIND $ids AS id
MATCH (m:Live {tenant: $tenant, id: id})-[a:MENTIONS WHERE a.recorded_to = $forever]->(e:Entity)
WHERE m.subject_id = $subject
WITH e, collect(m) AS fresh
CALL (e) {
  MATCH (e)<-[b:MENTIONS WHERE b.recorded_to = $forever]-(n:Memory)
  WITH n
  LIMIT $most + 1
  RETURN collect(n) AS those
}
WITH e, fresh, those
WHERE size(those) > 1 AND size(those) <= $most
UNWIND fresh AS m
UNWIND those AS n
WITH e, those, m, n
WHERE n:Live AND n.subject_id = $subject AND n <> m AND (n.id < m.id OR NOT n.id IN $ids)
WITH m, n, sum(1 / log(1 + size(those))) AS weight, collect(e.name) AS names
ORDER BY weight DESC, n.id
WITH m, collect({other: n, weight: weight, names: names})[..$keep] AS strongest
UNWIND strongest AS one
WITH m, one, one.other AS n
CREATE (m)-[:SHARES_ENTITY {tenant: $tenant, weight: one.weight, names: one.names, weighed_at: $now}]->(n)

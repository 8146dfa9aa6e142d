// The few memories that shared the rarest entities with each memory, from the mentions open at a moment.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[a:MENTIONS]->(e:Entity)
WHERE m.subject_id >= $lo AND m.subject_id <= $hi AND a.recorded_from <= $known_at AND a.recorded_to > $known_at
CALL (e) {
  MATCH (e)<-[b:MENTIONS]-(n:Memory)
  WHERE b.recorded_from <= $known_at AND b.recorded_to > $known_at
  WITH n
  LIMIT $most + 1
  RETURN collect(n) AS those
}
WITH id, m, e, those
WHERE size(those) <= $most
UNWIND those AS n
WITH id, m, n, sum(1 / log(1 + size(those))) AS weight, collect(e.name) AS names
WHERE n <> m AND n.tenant = $tenant AND n.subject_id = m.subject_id
CALL (n) {
  WITH n
  WHERE n.recorded_from <= $known_at
  RETURN n AS s
  UNION ALL
  WITH n
  WHERE n.recorded_from > $known_at
  MATCH (n)-[:REVISED_FROM]->(s:Revision)
  WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
  RETURN s
}
WITH id, n, weight, names, s
WHERE s.valid_from <= $as_of AND s.holds_to > $as_of
WITH id, n, weight, names
ORDER BY weight DESC, n.id
WITH id, collect({id: n.id, weight: weight, names: names})[..$keep] AS shared
RETURN id, shared

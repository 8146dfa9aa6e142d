// The few memories that share the rarest entities with each memory now.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[r:SHARES_ENTITY]-(n:Live)
WHERE m.subject_id >= $lo AND m.subject_id <= $hi AND n.tenant = $tenant AND n.subject_id = m.subject_id
  AND n.valid_from <= $as_of AND n.holds_to > $as_of
WITH id, n, r
ORDER BY r.weight DESC, n.id
WITH id, collect({id: n.id, weight: r.weight, names: r.names})[..$keep] AS shared
RETURN id, shared

// The memories that mention, at a moment, an entity by its id or by any of its names.
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.subject_id >= $lo AND e.subject_id <= $hi
  AND (e.id IN $ids OR any(one IN e.key + coalesce(e.alias_keys, []) WHERE one IN $keys))
WITH DISTINCT coalesce(e.alias_of, e.id) AS id
MATCH (:Entity {tenant: $tenant, id: id})<-[r:MENTIONS]-(m:Memory)
WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at
RETURN DISTINCT m.id AS id
ORDER BY id

// Closes what is stated of an entity, by some memories or by all, and lets them state the same of another, if there is one.
MATCH (:Entity {tenant: $tenant, id: $start})<-[:OF]-(a:Attribute)<-[r:STATES]-(m:Memory)
WHERE a.subject_id = $subject AND r.open_key IS NOT NULL AND ($memories IS NULL OR m.id IN $memories)
OPTIONAL MATCH (to:Entity {tenant: $tenant, id: $to})
WITH a, r, m, to
ORDER BY m.id
SET r.open_key = null, r.recorded_to = $pending
RETURN m.id AS memory, r.id AS closed, to.id AS entity_id, a.key AS key, a.name AS name, r.value AS value,
       r.value_kind AS value_kind, r.unit AS unit, r.polarity AS polarity, coalesce(r.inherited, false) AS inherited

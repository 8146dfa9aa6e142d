// What memories state now.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[r:STATES]->(a:Attribute)
WHERE m.subject_id = $subject AND r.open_key IS NOT NULL
RETURN m.id AS memory, r.id AS claim, a.entity_id AS entity_id, a.key AS key, a.name AS name, r.value AS value,
       r.value_kind AS value_kind, r.unit AS unit, r.polarity AS polarity, coalesce(r.inherited, false) AS inherited

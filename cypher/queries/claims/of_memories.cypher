// What each memory stated, as recorded at a time, and of what.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[r:STATES]->(a:Attribute)-[:OF]->(e:Entity)
WHERE m.subject_id >= $lo AND m.subject_id <= $hi AND r.recorded_from <= $known_at AND r.recorded_to > $known_at
RETURN id, a.name AS attribute, e.id AS entity, r {.value, .value_kind, .unit, .polarity} AS said

// The entities that a memory mentions, by id.
MATCH (m:Memory {tenant: $tenant, id: $id})-[r:MENTIONS]->(e:Entity)
WHERE m.subject_id = $subject AND r.recorded_to = $forever
RETURN DISTINCT e.id AS id, e.name AS name
ORDER BY id

// Closes what memories state now; names what was closed.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[r:STATES]->(:Attribute)
WHERE m.subject_id = $subject AND r.open_key IS NOT NULL
SET r.open_key = null, r.recorded_to = $pending
RETURN m.id AS memory, r.id AS claim

// The memories that a summary rests on, by the ids of the links that lead there.
MATCH (s:Memory {tenant: $tenant, id: $id})-[r:CONSOLIDATES WHERE r.open_key IS NOT NULL]->(m:Memory)
WHERE s.subject_id = $subject
RETURN r.id AS id, m.id AS to

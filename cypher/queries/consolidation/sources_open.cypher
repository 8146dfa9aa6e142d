// The memories that summaries rest on, by the ids of the links that lead there.
UNWIND $ids AS id
MATCH (s:Memory {tenant: $tenant, id: id})-[r:CONSOLIDATES WHERE r.open_key IS NOT NULL]->(m:Memory)
WHERE s.subject_id = $subject
RETURN id, r.id AS link, m.id AS to

// Whose the named memories are.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
MATCH (s:Subject {tenant: $tenant, id: m.subject_id})
RETURN m.id AS id, s.name AS subject

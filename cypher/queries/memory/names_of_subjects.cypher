// The names of subjects by their tokens.
UNWIND $ids AS id
MATCH (s:Subject {tenant: $tenant, id: id})
RETURN s.id AS id, s.name AS name

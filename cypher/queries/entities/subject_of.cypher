// The name of the subject whose entity this is.
MATCH (e:Entity {tenant: $tenant, id: $id})
WHERE e.subject_id >= $lo AND e.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: e.subject_id})
RETURN s.name AS name

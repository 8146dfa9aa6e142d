// The name of the subject that a change belongs to.
MATCH (c:Change {tenant: $tenant, sequence: $sequence})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: c.subject_id})
RETURN s.name AS name

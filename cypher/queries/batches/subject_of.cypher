// The name of the subject that a batch belongs to.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.subject_id >= $lo AND b.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: b.subject_id})
RETURN s.name AS name

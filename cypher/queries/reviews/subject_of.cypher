// The name of the subject that a review belongs to.
MATCH (r:Review {tenant: $tenant, id: $id})
WHERE r.subject_id >= $lo AND r.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: r.subject_id})
RETURN s.name AS name

// A review by its id.
MATCH (r:Review {tenant: $tenant, id: $id})
WHERE r.subject_id >= $lo AND r.subject_id <= $hi
RETURN r {.*} AS review

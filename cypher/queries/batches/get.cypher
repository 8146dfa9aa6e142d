// A batch by its id, and whose it is.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.subject_id >= $lo AND b.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: b.subject_id})
RETURN b {.*} AS batch, s.name AS subject_name

// The name of the subject whose memory this is.
MATCH (m:Memory {tenant: $tenant, id: $id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: m.subject_id})
RETURN s.name AS name

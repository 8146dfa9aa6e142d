// Batches of some kinds that are not at their end, oldest first.
MATCH (b:Batch)
WHERE b.tenant = $tenant AND b.status IN $statuses AND b.kind IN $kinds AND b.created_at >= $since
MATCH (s:Subject {tenant: $tenant, id: b.subject_id})
RETURN b.id AS id, s.name AS subject_name
ORDER BY b.created_at, b.id

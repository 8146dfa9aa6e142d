// Batches of some statuses, newest first, from a place on.
MATCH (b:Batch)
WHERE b.tenant = $tenant AND b.status IN $statuses AND b.created_at <= $at
  AND (b.created_at < $at OR b.id < $id) AND b.subject_id >= $lo AND b.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: b.subject_id})
RETURN b {.*} AS batch, s.name AS subject_name
ORDER BY b.created_at DESC, b.id DESC
LIMIT $first

// Batches of some statuses, newest first, from a place on.
// The place is compared by CASE, because the server's planner may fail at two ranges joined by OR.
MATCH (b:Batch)
WHERE b.tenant = $tenant AND b.status IN $statuses AND b.created_at <= $at
  AND CASE WHEN b.created_at < $at THEN true ELSE b.id < $id END AND b.subject_id >= $lo AND b.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: b.subject_id})
RETURN b {.*} AS batch, s.name AS subject_name
ORDER BY b.created_at DESC, b.id DESC
LIMIT $first

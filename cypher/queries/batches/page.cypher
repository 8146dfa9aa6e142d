// Batches of some statuses, newest first, from a place on.
// include: batches/parts/listed
MATCH (s:Subject {tenant: $tenant, id: b.subject_id})
RETURN b {.*} AS batch, s.name AS subject_name
ORDER BY b.created_at DESC, b.id DESC
LIMIT $first

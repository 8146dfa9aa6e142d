// Batches that failed or expired with questions still open and were not retried too often.
MATCH (b:Batch)
WHERE b.tenant = $tenant AND b.status IN $statuses AND b.created_at >= $since AND b.retries < $retries
  AND b.applied + b.failed < b.items
MATCH (s:Subject {tenant: $tenant, id: b.subject_id})
RETURN b.id AS id, s.name AS subject_name
ORDER BY b.created_at, b.id

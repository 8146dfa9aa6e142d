// Removes batches that ended before a moment, with their questions and leases, some at a time; says how many.
MATCH (b:Batch)
WHERE b.tenant = $tenant AND b.status IN $statuses AND b.created_at >= $since AND b.ended_at <= $before
WITH b
LIMIT $limit
CALL (b) {
  MATCH (i:BatchItem)
  WHERE i.tenant = $tenant AND i.batch_id = b.id
  DELETE i
  RETURN count(*) AS items
}
CALL (b) {
  OPTIONAL MATCH (l:Lease {tenant: $tenant, name: 'batch/' + b.id})
  DELETE l
}
DELETE b
RETURN count(*) AS removed

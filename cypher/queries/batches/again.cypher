// Puts a batch back in line for what it has no answer to; what the provider still has of it can be looked at once more.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.status IN $allowed
SET b.status = $status, b.earlier_id = CASE WHEN $looks_back THEN b.provider_id END, b.provider_id = null,
    b.submitted_at = $now, b.moved_at = $now, b.expires_at = null, b.ended_at = null, b.reason = null, b.faults = 0,
    b.retries = b.retries + $counts
WITH b
CALL (b) {
  WITH b
  WHERE $revives
  MATCH (i:BatchItem)
  WHERE i.tenant = $tenant AND i.batch_id = b.id AND i.state = 'failed' AND i.erased_at IS NULL
  SET i.state = 'waiting', i.tries = 0, i.fault = null, i.sent_in = null
  WITH count(i) AS revived
  SET b.failed = b.failed - revived
}
RETURN b {.*} AS batch

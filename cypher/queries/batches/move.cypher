// Moves a batch from one of some statuses to another.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.status IN $allowed
SET b.status = $status, b.reason = $reason, b.moved_at = $now, b.faults = 0,
    b.ended_at = CASE WHEN $has_ended THEN $now END
RETURN b {.*} AS batch

// Counts a passing fault of a batch; it fails after so many, or at once when the fault is final or it stood still too long.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.status IN $open
SET b.faults = b.faults + 1
WITH b, b.status = 'processing' AND b.moved_at <= $stale AS is_stale
WITH b, is_stale, $is_final OR is_stale OR b.faults >= $most AS ends
SET b.reason = CASE WHEN is_stale AND NOT $is_final THEN 'timeout: ' + $reason ELSE $reason END,
    b.status = CASE WHEN ends THEN 'failed' ELSE b.status END,
    b.ended_at = CASE WHEN ends THEN $now END
RETURN b {.*} AS batch

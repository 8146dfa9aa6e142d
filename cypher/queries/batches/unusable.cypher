// Notes why a question has no usable answer; it ends when asking again would not help, or after so many tries.
MATCH (b:Batch {tenant: $tenant, id: $id})
MATCH (i:BatchItem {tenant: $tenant, id: $item})
WHERE i.batch_id = b.id AND i.state = 'waiting'
SET i.answer = null, i.fault = $fault, i.tries = i.tries + 1
WITH b, i, $is_final OR i.tries >= $tries AS ends
SET i.state = CASE WHEN ends THEN 'failed' ELSE i.state END, b.failed = b.failed + CASE WHEN ends THEN 1 ELSE 0 END,
    b.moved_at = $now
RETURN i.state AS state

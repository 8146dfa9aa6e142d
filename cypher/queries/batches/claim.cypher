// Notes that questions are about to be sent, so that a crash while sending is seen.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.status = 'submitted' AND b.provider_id IS NULL
SET b.attempts = b.attempts + 1, b.sending_at = $now, b.sent = size($ids), b.provider = $provider, b.earlier_id = null
WITH b
UNWIND $ids AS item
MATCH (i:BatchItem {tenant: $tenant, id: item})
WHERE i.batch_id = b.id AND i.state = 'waiting'
SET i.sent_in = b.attempts, i.fault = null
RETURN count(i) AS claimed

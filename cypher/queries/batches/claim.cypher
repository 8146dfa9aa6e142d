// Notes that questions are about to be sent, so that a crash while sending is seen; leaves out what an erasure has touched.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.status = 'submitted' AND b.provider_id IS NULL
SET b.attempts = b.attempts + 1, b.sending_at = $now, b.provider = $provider, b.earlier_id = null
WITH b
UNWIND $rows AS row
MATCH (i:BatchItem {tenant: $tenant, id: row.id})
SET i.sent_in = null
WITH b, row, i
WHERE i.batch_id = b.id AND i.state = 'waiting' AND coalesce(i.erasures, 0) = row.erasures
SET i.sent_in = b.attempts, i.fault = null
WITH b, collect(i.id) AS claimed
SET b.sent = size(claimed)
RETURN claimed

// Takes back that questions are being sent: the provider did not take them.
MATCH (b:Batch {tenant: $tenant, id: $id})
SET b.sending_at = null, b.provider = null
WITH b
MATCH (i:BatchItem)
WHERE i.tenant = $tenant AND i.batch_id = b.id AND i.state = 'waiting' AND i.sent_in = b.attempts
SET i.sent_in = null
RETURN count(i) AS released

// The questions of the last submission to which the provider's results say nothing.
MATCH (b:Batch {tenant: $tenant, id: $id})
MATCH (i:BatchItem)
WHERE i.tenant = $tenant AND i.batch_id = b.id AND i.state = 'waiting' AND i.answer IS NULL AND i.fault IS NULL
  AND i.sent_in = b.attempts
RETURN i.id AS id
ORDER BY i.position

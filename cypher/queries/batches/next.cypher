// The next question of a batch whose answer waits to be applied; none once the batch is at its end.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.status = 'processing'
MATCH (i:BatchItem)
WHERE i.tenant = $tenant AND i.batch_id = $id AND i.state = 'waiting' AND i.answer IS NOT NULL AND i.position > $position
RETURN i.id AS id, i.reference AS reference, i.answer AS answer, i.position AS position
ORDER BY i.position
LIMIT 1

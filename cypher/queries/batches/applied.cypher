// Marks a question as answered and applied, and forgets the answer.
MATCH (b:Batch {tenant: $tenant, id: $id})
MATCH (i:BatchItem {tenant: $tenant, id: $item})
WHERE i.batch_id = b.id AND i.state = 'waiting'
SET i.state = 'applied', i.answer = null, i.fault = null, i.applied_at = $now, b.applied = b.applied + 1, b.moved_at = $now
RETURN i.id AS id

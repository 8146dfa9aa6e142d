// The questions of a batch that have no answer yet, in their order.
MATCH (i:BatchItem)
WHERE i.tenant = $tenant AND i.batch_id = $id AND i.state = 'waiting' AND i.answer IS NULL
RETURN i.id AS id, i.reference AS reference, coalesce(i.erasures, 0) AS erasures
ORDER BY i.position

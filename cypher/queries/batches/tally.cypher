// How the questions of a batch stand, and why those that wait have no answer.
MATCH (b:Batch {tenant: $tenant, id: $id})
OPTIONAL MATCH (i:BatchItem)
WHERE i.tenant = $tenant AND i.batch_id = b.id AND i.state = 'waiting'
RETURN b {.*} AS batch, count(i) AS waiting, count(CASE WHEN i IS NOT NULL AND i.sent_in IS NULL AND i.answer IS NULL AND i.fault IS NULL THEN 1 END) AS unsent,
       collect(DISTINCT i.fault) AS faults

// Keeps the outcomes of questions that wait for them: an answer until it is applied, or why there is none. Each counts once.
MATCH (b:Batch {tenant: $tenant, id: $id})
UNWIND $rows AS row
MATCH (i:BatchItem {tenant: $tenant, id: row.id})
WHERE i.batch_id = b.id AND i.state = 'waiting' AND i.answer IS NULL AND i.fault IS NULL AND i.sent_in = b.attempts
SET i.answer = row.answer, i.fault = row.fault, i.tries = i.tries + CASE WHEN row.fault IS NULL THEN 0 ELSE 1 END
WITH b, i, row.fault IS NOT NULL AND (row.is_final OR i.tries >= $tries) AS ends
SET i.state = CASE WHEN ends THEN 'failed' ELSE i.state END
WITH b, collect(i.id) AS taken, sum(CASE WHEN ends THEN 1 ELSE 0 END) AS ended
SET b.failed = b.failed + ended, b.moved_at = $now
RETURN taken

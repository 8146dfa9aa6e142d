// Opens a batch with those of the questions that are in none yet; when all are, answers the batch of the first.
MATCH (s:Subject {tenant: $tenant, id: $subject})
UNWIND $items AS row
MERGE (i:BatchItem {tenant: $tenant, id: row.id})
ON CREATE SET i += row, i.subject_id = $subject, i.batch_id = $batch.id, i.state = 'waiting', i.tries = 0
WITH s, count(CASE WHEN i.batch_id = $batch.id THEN 1 END) AS fresh, head(collect(i.batch_id)) AS first
CALL (fresh) {
  WITH fresh
  WHERE fresh > 0
  CREATE (b:Batch {tenant: $tenant, subject_id: $subject})
  SET b += $batch, b.items = fresh, b.applied = 0, b.failed = 0, b.faults = 0, b.attempts = 0, b.retries = 0
}
MATCH (b:Batch {tenant: $tenant, id: CASE WHEN fresh > 0 THEN $batch.id ELSE first END})
RETURN b {.*} AS batch, s.name AS subject_name

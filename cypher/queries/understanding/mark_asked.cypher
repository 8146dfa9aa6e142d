// Marks messages as asked about in a batch; says how many of them nobody has asked about or extracted before.
UNWIND $ids AS id
MATCH (m:Message {tenant: $tenant, id: id})
WHERE m.asked_at IS NULL AND m.extracted_at IS NULL
SET m.asked_at = $now, m.asked_in = $batch
RETURN count(m) AS marked

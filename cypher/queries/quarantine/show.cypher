// Brings back what a quarantine took of what was said; says how much. It waits for its vector.
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.id >= '' AND m.subject_id >= $lo AND m.subject_id <= $hi AND m.quarantined_by = $run_id
SET m.quarantined_by = null
WITH m
WHERE m.redacted_at IS NULL
SET m:Passage, m.unembedded = true
RETURN count(m) AS passages

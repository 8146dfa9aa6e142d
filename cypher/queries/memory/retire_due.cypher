// Makes past what the clock has ended in this tenant, a batch at a time; says how many.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.holds_to <= $now
WITH m
LIMIT $limit
SET m:Past
REMOVE m:Live
SET m.live_key = null
RETURN count(m) AS retired

// Makes past what the clock has ended in this subject; says how many.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.valid_to <= $now AND m.subject_id = $subject
SET m:Past
REMOVE m:Live
SET m.live_key = null
RETURN count(m) AS retired

// Empties changes of the subject that hold something still, at most so many; says how many. Their requests are left to the end.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.subject_id = $subject
  AND (c.before IS NOT NULL OR c.after IS NOT NULL OR c.effects IS NOT NULL OR c.salt IS NOT NULL OR c.reason <> ''
       OR c.session_id IS NOT NULL)
WITH c
LIMIT $most
SET c.before = null, c.after = null, c.effects = null, c.salt = null, c.reason = '', c.session_id = null,
    c.emptied_at = coalesce(c.emptied_at, $now)
RETURN count(c) AS emptied

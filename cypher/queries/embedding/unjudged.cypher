// Live memories that were stored without having been judged, those that have their vector by now, oldest first.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.unjudged = true AND m:Live AND m.holds_to > $now AND m.embedding IS NOT NULL
MATCH (s:Subject {tenant: $tenant, id: m.subject_id})
RETURN m.id AS id, s.name AS subject
ORDER BY m.created_at, m.id

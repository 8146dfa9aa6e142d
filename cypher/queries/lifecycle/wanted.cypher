// Archived memories of a tenant that were used since a run last looked, longest waiting first.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.wanted_at >= $ever
MATCH (s:Subject {tenant: $tenant, id: m.subject_id})
RETURN m.id AS id, s.name AS subject
ORDER BY m.wanted_at, m.id
LIMIT $limit

// Some of the memories whose ids begin so.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id STARTS WITH $start AND m.subject_id >= $lo AND m.subject_id <= $hi
RETURN m.id AS id, m.caption AS caption
ORDER BY m.tenant, m.id
LIMIT $first

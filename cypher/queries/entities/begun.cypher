// Some of the entities whose ids begin so.
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.id STARTS WITH $start AND e.subject_id >= $lo AND e.subject_id <= $hi
RETURN e.id AS id, e.name AS caption
ORDER BY e.tenant, e.id
LIMIT $first

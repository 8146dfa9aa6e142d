// Some of the reviews whose ids begin so.
MATCH (r:Review)
WHERE r.tenant = $tenant AND r.id STARTS WITH $start AND r.subject_id >= $lo AND r.subject_id <= $hi
RETURN r.id AS id, r.caption AS caption
ORDER BY r.tenant, r.id
LIMIT $first

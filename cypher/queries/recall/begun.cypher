// Since when anything was kept of a scope, and since when any of it holds; null where nothing is kept.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
RETURN min(m.created_at) AS kept, min(m.valid_from) AS held

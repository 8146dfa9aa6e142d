// How many memories of a scope have each status.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= '' AND m.subject_id >= $lo AND m.subject_id <= $hi
RETURN m.status AS status, count(*) AS memories

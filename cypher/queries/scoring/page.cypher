// The next page of memories: its last id, how many it has, and how many of them are active.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id > $after
WITH m
ORDER BY m.id
LIMIT $size
RETURN max(m.id) AS id, count(*) AS memories, count(CASE WHEN m.status = 'ACTIVE' AND NOT m:Summary THEN 1 END) AS active

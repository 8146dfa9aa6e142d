// The last id of the next page of memories; none when this is the last page.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id > $after
WITH m.id AS id
ORDER BY id
SKIP $size
LIMIT 1
RETURN id

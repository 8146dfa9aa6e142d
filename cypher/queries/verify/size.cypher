// How many memories a tenant has.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= ''
RETURN count(m) AS memories

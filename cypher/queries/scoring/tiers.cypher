// How many active memories of a scope stand in each tier.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= '' AND m.subject_id >= $lo AND m.subject_id <= $hi AND m.status = 'ACTIVE'
RETURN m.tier AS tier, count(*) AS memories

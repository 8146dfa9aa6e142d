// How many active memories of all tenants stand in each tier.
MATCH (m:Memory)
WHERE m.status = 'ACTIVE'
RETURN m.tier AS tier, count(*) AS memories

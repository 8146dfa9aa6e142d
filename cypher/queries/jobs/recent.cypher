// The latest runs of a tenant, of one job or of all.
MATCH (r:Run)
WHERE r.tenant = $tenant AND ($job IS NULL OR r.job = $job)
RETURN r {.*} AS run
ORDER BY r.created_at DESC, r.id
LIMIT $first

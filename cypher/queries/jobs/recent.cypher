// The latest runs of a tenant, of one job or of all.
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.id IS NOT NULL AND ($job IS NULL OR r.job = $job) AND ($status IS NULL OR r.status = $status)
RETURN r {.*} AS run
ORDER BY r.created_at DESC, r.id
LIMIT $first

// Begins one try of a run; no row when it has ended.
MATCH (r:Run {tenant: $tenant, id: $id})
WHERE r.status IN ['PENDING', 'RUNNING']
SET r.status = 'RUNNING', r.attempts = r.attempts + 1, r.started_at = coalesce(r.started_at, $now), r.updated_at = $now,
    r.due_at = $now, r.deliveries = 1
RETURN r {.*} AS run

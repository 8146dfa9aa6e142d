// Stops a run that has not ended: its holder ends at its next step.
MATCH (r:Run {tenant: $tenant, id: $id})
WHERE r.status IN ['PENDING', 'RUNNING']
SET r.status = 'CANCELLED', r.updated_at = $now, r.finished_at = $now
RETURN r {.*} AS run

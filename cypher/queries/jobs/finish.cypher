// Ends a try of a run: done, failed, or waiting for another try.
MATCH (r:Run {tenant: $tenant, id: $id})
WHERE r.status = 'RUNNING'
SET r.status = $status, r.result = coalesce($result, r.result), r.error = $error, r.due_at = $due_at, r.updated_at = $now,
    r.finished_at = CASE WHEN $status = 'PENDING' THEN null ELSE $now END,
    r.done = CASE WHEN $status = 'DONE' THEN r.total ELSE r.done END
RETURN r {.*} AS run

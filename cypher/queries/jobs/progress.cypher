// Notes how far a run has come; getting further than any try before makes this try the first again.
MATCH (r:Run {tenant: $tenant, id: $id})
SET r.attempts = CASE WHEN r.status = 'RUNNING' AND $done > r.furthest THEN 1 ELSE r.attempts END,
    r.furthest = CASE WHEN $done > r.furthest THEN $done ELSE r.furthest END,
    r.phase = $phase, r.done = $done, r.total = $total, r.updated_at = $now
RETURN r.status AS status

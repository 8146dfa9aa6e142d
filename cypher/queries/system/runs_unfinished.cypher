// Runs that ought to be under way and that nobody holds: never started, due again, or left by a holder that fell silent.
MATCH (r:Run)
WHERE r.status IN ['PENDING', 'RUNNING'] AND r.due_at <= $now
OPTIONAL MATCH (l:Lease {tenant: r.tenant, name: r.lease})
WITH r, l
WHERE l IS NULL OR l.expires_at <= datetime.realtime()
MATCH (t:Tenant {id: r.tenant})
RETURN t.name AS tenant, r.id AS id, r.job AS job, r.due_at AS due_at, r.deliveries AS deliveries
ORDER BY r.due_at
LIMIT 1000

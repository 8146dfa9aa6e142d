// I12: runs in no known state, with an end that does not fit it, or under way with nobody at work.
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.id >= ''
OPTIONAL MATCH (l:Lease {tenant: $tenant, name: r.lease})
WITH r.id AS id, r.status IN ['PENDING', 'RUNNING'] AS open, r.status IN $statuses AS known,
     r.finished_at IS NOT NULL AS ended,
     r.status = 'RUNNING' AND r.due_at < $silent AND (l IS NULL OR l.expires_at <= datetime.realtime()) AS left
WHERE NOT known OR open = ended OR left
RETURN count(id) AS violations, collect(id)[..20] AS examples

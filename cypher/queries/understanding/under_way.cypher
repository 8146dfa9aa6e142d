// The latest run that extracts what the subject has stored and has not ended.
MATCH (r:Run)
WHERE r.tenant = $tenant AND r.job = $job AND r.status IN ['PENDING', 'RUNNING'] AND r.args = $args
RETURN r {.*} AS run
ORDER BY r.created_at DESC, r.id
LIMIT 1

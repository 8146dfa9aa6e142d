// How people decided what judges proposed, by judge and action.
MATCH (r:Review)
WHERE r.tenant = $tenant AND r.status IN $statuses AND r.created_at >= $since AND r.subject_id >= $lo AND r.subject_id <= $hi
RETURN r.provider AS provider, r.action AS action, r.status AS status, count(r) AS number
ORDER BY provider, action, status

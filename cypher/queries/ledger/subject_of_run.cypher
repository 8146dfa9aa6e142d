// The name of the subject of a run's first change.
MATCH (c:Change {tenant: $tenant, run_id: $run_id})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi
WITH c
ORDER BY c.sequence
LIMIT 1
MATCH (s:Subject {tenant: $tenant, id: c.subject_id})
RETURN s.name AS name

// What a quarantine took out of answers, by subject.
MATCH (c:Change {tenant: $tenant, run_id: $run_id})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi AND c.classification = 'QUARANTINE'
MATCH (s:Subject {tenant: $tenant, id: c.subject_id})
UNWIND c.targets AS id
RETURN DISTINCT s.name AS subject, id
ORDER BY subject, id

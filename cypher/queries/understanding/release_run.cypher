// Lets a run be taken up, now that everything it needs is stored.
MATCH (r:Run {tenant: $tenant, id: $run_id})
WHERE r.status = 'RECEIVING' AND r.subject_id = $subject
SET r.status = 'PENDING', r.updated_at = $now
RETURN r.id AS id

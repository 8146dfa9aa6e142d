// What a run merged or split and nobody has undone, newest first, each with its subject.
MATCH (c:Change {tenant: $tenant, run_id: $run_id})
WHERE c.classification IN ['CONSOLIDATE', 'SPLIT'] AND c.undone_by IS NULL AND c.subject_id >= $lo AND c.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: c.subject_id})
RETURN c.sequence AS sequence, s.name AS subject
ORDER BY sequence DESC

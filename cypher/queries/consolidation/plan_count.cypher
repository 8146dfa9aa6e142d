// What a plan would change, by subject.
MATCH (p:PlannedMerge)
WHERE p.tenant = $tenant AND p.run_id = $run_id AND p.position >= 0 AND p.subject_id >= $lo AND p.subject_id <= $hi
MATCH (s:Subject {tenant: $tenant, id: p.subject_id})
RETURN s.name AS subject, s.id AS subject_id, count(p) AS groups, sum(size(p.members)) AS memories, sum(p.links) AS links
ORDER BY memories DESC, subject

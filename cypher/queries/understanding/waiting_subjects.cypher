// The subjects with closed segments that wait to be extracted.
MATCH (s:Segment)
WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi AND s.status = 'PENDING'
WITH DISTINCT s.subject_id AS id
MATCH (u:Subject {tenant: $tenant, id: id})
RETURN u.name AS subject
ORDER BY subject

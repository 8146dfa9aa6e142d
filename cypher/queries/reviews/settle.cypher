// Closes what waits about these memories and can be decided no more, and has what was closed so wait again where it can.
UNWIND $ids AS id
MATCH (:Memory {tenant: $tenant, id: id})<-[:ABOUT]-(r:Review)
WHERE r.subject_id = $subject AND (r.status = 'PENDING' OR (r.status = 'EXPIRED' AND r.decided_by IS NULL AND r.note <> ''))
WITH DISTINCT r
// include: reviews/parts/gone
WHERE (gone IS NULL) = (r.status = 'EXPIRED')
SET r.status = CASE WHEN gone IS NULL THEN 'PENDING' ELSE 'EXPIRED' END,
    r.note = why,
    r.decided_at = CASE WHEN gone IS NULL THEN null ELSE $now END,
    r.expires_at = CASE WHEN gone IS NULL THEN $until ELSE r.expires_at END
RETURN count(r) AS settled

// Each review `r` of a status, or of any, behind a place.
MATCH (r:Review)
WHERE r.tenant = $tenant AND r.status IN $statuses AND r.created_at >= $at
  AND CASE WHEN r.created_at > $at THEN true ELSE r.id > $id END AND r.subject_id >= $lo AND r.subject_id <= $hi

// Reviews of a status, or of any, oldest first, from a place on.
MATCH (r:Review)
WHERE r.tenant = $tenant AND r.status IN $statuses AND r.created_at >= $at
  AND CASE WHEN r.created_at > $at THEN true ELSE r.id > $id END AND r.subject_id >= $lo AND r.subject_id <= $hi
RETURN r {.*} AS review
ORDER BY r.created_at, r.id
LIMIT $first

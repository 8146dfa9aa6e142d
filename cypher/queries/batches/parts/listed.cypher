// Each batch `b` of some statuses, behind a place.
// The place is compared by CASE, because the server's planner may fail at two ranges joined by OR.
MATCH (b:Batch)
WHERE b.tenant = $tenant AND b.status IN $statuses AND b.created_at <= $at
  AND CASE WHEN b.created_at < $at THEN true ELSE b.id < $id END AND b.subject_id >= $lo AND b.subject_id <= $hi

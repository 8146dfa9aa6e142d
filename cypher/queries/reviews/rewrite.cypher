// Sets how reviews stand, for each what was noted before. One that was decided meanwhile is not decided otherwise.
UNWIND $rows AS row
MATCH (r:Review {tenant: $tenant, id: row.id})
WHERE r.subject_id = $subject AND (row.set.status = 'PENDING' OR r.status IN ['PENDING', 'EXPIRED'])
WITH r, row, r {.status, .decided_at, .decided_by, .decided_action, .note} AS before
SET r += row.set
RETURN row.id AS id, before

// Notes what a person decided.
MATCH (r:Review {tenant: $tenant, id: $id})
WHERE r.subject_id = $subject
SET r.status = $status, r.decided_at = $now, r.decided_by = $actor, r.decided_action = $action, r.note = $note
RETURN r.id AS id

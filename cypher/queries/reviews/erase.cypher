// Empties reviews of memories that are erased, and ends those that wait; says how many.
MATCH (r:Review)
WHERE r.tenant = $tenant AND r.subject_id = $subject
  AND (r.memory_id IN $ids OR r.target_id IN $ids OR any(id IN r.candidate_ids WHERE id IN $ids))
SET r.text = null, r.reason = '', r.note = '', r.memory_hash = null, r.target_hash = null,
    r.candidate_ids = [id IN r.candidate_ids WHERE NOT id IN $ids],
    r.status = CASE WHEN r.status = 'PENDING' AND (r.memory_id IN $ids OR r.target_id IN $ids) THEN 'EXPIRED' ELSE r.status END,
    r.decided_at = coalesce(r.decided_at, CASE WHEN r.memory_id IN $ids OR r.target_id IN $ids THEN $now END)
RETURN count(r) AS emptied

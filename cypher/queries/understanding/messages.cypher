// Messages by id, in the order given.
UNWIND range(0, size($ids) - 1) AS place
MATCH (m:Message {tenant: $tenant, id: $ids[place]})
WHERE m.subject_id = $subject
RETURN place, m {.*} AS message
ORDER BY place

// Communities by their ids.
UNWIND $ids AS id
MATCH (c:Community {tenant: $tenant, id: id})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi
RETURN id, c {.id, .subject_id, .label, .size, .central_id, .created_at, .updated_at, .ended_at} AS community

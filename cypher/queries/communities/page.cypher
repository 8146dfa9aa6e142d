// Communities, the last changed first, from a cursor on.
// include: communities/parts/found
RETURN c {.id, .subject_id, .label, .size, .central_id, .created_at, .updated_at, .ended_at} AS community
ORDER BY c.updated_at DESC, c.id DESC
LIMIT $first

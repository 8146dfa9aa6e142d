// Reviews of a status, or of any, oldest first, from a place on.
// include: reviews/parts/waiting
RETURN r {.*} AS review
ORDER BY r.created_at, r.id
LIMIT $first

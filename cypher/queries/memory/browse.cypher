// Memories newest first, from a cursor on, as they were believed and true at a moment.
// include: memory/parts/browsed
RETURN s {.*, embedding: null} AS state
ORDER BY m.created_at DESC, m.id DESC
LIMIT $first

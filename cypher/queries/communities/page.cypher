// Communities, the last changed first, from a cursor on.
MATCH (c:Community)
WHERE c.tenant = $tenant AND c.updated_at <= $before AND c.subject_id >= $lo AND c.subject_id <= $hi
  AND CASE WHEN c.updated_at = $before THEN c.id < $before_id ELSE true END
  AND ($name IS NULL OR toLower(c.label) CONTAINS $name)
  AND ($since IS NULL OR c.updated_at > $since)
  AND ($ended IS NULL OR (c.ended_at IS NOT NULL) = $ended)
  AND c.size >= $least
RETURN c {.id, .subject_id, .label, .size, .central_id, .created_at, .updated_at, .ended_at} AS community
ORDER BY c.updated_at DESC, c.id DESC
LIMIT $first

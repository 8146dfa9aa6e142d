// Each community `c` that is asked for, behind a place.
MATCH (c:Community)
WHERE c.tenant = $tenant AND c.updated_at <= $before AND c.subject_id >= $lo AND c.subject_id <= $hi
  AND CASE WHEN c.updated_at = $before THEN c.id < $before_id ELSE true END
  AND ($name IS NULL OR toLower(c.label) CONTAINS $name)
  AND ($since IS NULL OR c.updated_at > $since)
  AND ($ended IS NULL OR (c.ended_at IS NOT NULL) = $ended)
  AND c.size >= $least

// Subjects of a tenant by name, from a name on, with how many memories of each are live and when each was last active.
MATCH (s:Subject)
WHERE s.tenant = $tenant AND s.name > $after AND s.id >= $lo AND s.id <= $hi
WITH s
ORDER BY s.name
LIMIT $first
RETURN s.name AS name, s.created_at AS created_at, s.last_active_on AS last_active_on, COUNT {
  MATCH (m:Live)
  WHERE m.tenant = $tenant AND m.subject_id = s.id AND m.pinned IS NOT NULL AND m.critical IS NOT NULL AND m.importance >= 0
    AND m.valid_from <= $now AND m.holds_to > $now
} AS memories
ORDER BY name

// Subjects of a tenant by name, from a name on, with how many memories of each are live and when each was last active.
// include: memory/parts/subjects
WITH s
// The order of the index, so that it is read off and not sorted.
ORDER BY s.tenant, s.name
LIMIT $first
RETURN s.id AS id, s.name AS name, s.created_at AS created_at, s.last_active_on AS last_active_on, COUNT {
  MATCH (s)<-[:BELONGS_TO]-(m:Live)
  WHERE m.valid_from <= $now AND m.holds_to > $now
} AS memories
ORDER BY name

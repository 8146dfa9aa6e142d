// Subjects by their tokens, with how many memories of each are live and when each was last active.
UNWIND $ids AS id
MATCH (s:Subject {tenant: $tenant, id: id})
WHERE s.id >= $lo AND s.id <= $hi
RETURN s.id AS id, s.name AS name, s.created_at AS created_at, s.last_active_on AS last_active_on, COUNT {
  MATCH (s)<-[:BELONGS_TO]-(m:Live)
  WHERE m.valid_from <= $now AND m.holds_to > $now
} AS memories

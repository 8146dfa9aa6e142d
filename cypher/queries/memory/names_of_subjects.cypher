// The names of subjects by their tokens.
MATCH (s:Subject {tenant: $tenant})
WHERE s.id IN $ids AND s.id >= $lo AND s.id <= $hi
RETURN s.id AS id, s.name AS name

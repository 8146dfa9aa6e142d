// The subjects that have entities with few mentions and none of late.
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.subject_id >= $lo AND e.subject_id <= $hi AND e.alias_of IS NULL
  AND e.link_count >= 1 AND e.link_count <= $most AND e.last_seen < $before
WITH DISTINCT e.subject_id AS subject
MATCH (s:Subject {tenant: $tenant, id: subject})
RETURN s.name AS name
ORDER BY name

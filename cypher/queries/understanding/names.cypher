// What the subject's memories mention most, by name.
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.subject_id = $subject AND e.key > '' AND e.alias_of IS NULL AND e.link_count > 1
  AND e.type <> 'UNKNOWN'
RETURN e.name AS name
ORDER BY e.link_count DESC, e.id
LIMIT $most

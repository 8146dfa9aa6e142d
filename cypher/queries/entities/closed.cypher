// How many entities are known that no memory mentions now.
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.key >= '' AND e.subject_id >= $lo AND e.subject_id <= $hi AND e.alias_of IS NULL AND e.link_count = 0
  AND e.type <> 'SELF'
RETURN count(e) AS closed

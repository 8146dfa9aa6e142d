// The entities that memories mention now, the most mentioned first.
MATCH (e:Entity)
WHERE e.tenant = $tenant AND e.subject_id >= $lo AND e.subject_id <= $hi AND e.key >= '' AND e.alias_of IS NULL AND e.link_count > 0
RETURN e {.id, .name, .key, .type, .discriminator, .alias_keys, .link_count, .last_seen} AS entity
ORDER BY entity.link_count DESC, entity.id
LIMIT $limit

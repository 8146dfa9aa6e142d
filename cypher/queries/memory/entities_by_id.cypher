// Entities by their ids.
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id})
WHERE e.subject_id >= $lo AND e.subject_id <= $hi
RETURN id, e {.id, .name, .type, .key, .discriminator, .aliases, .alias_of, .link_count, .first_seen, .last_seen} AS entity

// Entities by their ids.
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id})
WHERE e.subject_id >= $lo AND e.subject_id <= $hi
RETURN id, e {.id, .name, .type, .key} AS entity

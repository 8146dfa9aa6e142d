// The entities that each memory mentioned, as recorded at a time.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[r:MENTIONS]->(e:Entity)
WHERE m.subject_id >= $lo AND m.subject_id <= $hi AND r.recorded_from <= $known_at AND r.recorded_to > $known_at
WITH id, e
ORDER BY e.name
RETURN id, collect(e {.id, .name, .type, .key, .discriminator, .aliases, .alias_of, .link_count, .first_seen, .last_seen}) AS entities

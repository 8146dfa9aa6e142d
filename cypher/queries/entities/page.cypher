// Entities that a memory mentions or states something of at a moment, by name, from a cursor on; with how many were recorded to mention each then.
// include: entities/parts/mentioned
WITH e
ORDER BY e.key, e.id
LIMIT $first
RETURN e {.id, .name, .type, .key, .discriminator, .aliases, .alias_of, .first_seen, .last_seen, link_count:
  COUNT { (e)<-[r:MENTIONS]-(:Memory) WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at }} AS entity
ORDER BY entity.key, entity.id

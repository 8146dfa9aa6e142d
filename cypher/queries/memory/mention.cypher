// Joins memories to the entities they name, making an entity at its first mention.
UNWIND $rows AS row
MERGE (e:Entity {tenant: $tenant, subject_id: $subject, type: row.type, key: row.key, discriminator: row.discriminator})
ON CREATE SET e.id = row.entity_id, e.name = row.name, e.caption = left(row.name, 40), e.aliases = [], e.link_count = 0,
              e.first_seen = $now
SET e.link_count = e.link_count + 1, e.last_seen = $now
WITH e, row
MATCH (m:Memory {tenant: $tenant, id: row.memory_id})
CREATE (m)-[:MENTIONS {tenant: $tenant, recorded_from: $pending, recorded_to: $forever}]->(e)

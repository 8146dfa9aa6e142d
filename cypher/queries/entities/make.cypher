// The entity with this identity, made when there is none; with how many memories mention it.
MERGE (e:Entity {tenant: $tenant, subject_id: $subject, type: $type, key: $key, discriminator: $discriminator})
ON CREATE SET e.id = $id, e.name = $name, e.caption = left($name, 40), e.aliases = [], e.link_count = 0,
              e.first_seen = $now, e.last_seen = $now
RETURN e.id AS id, e.link_count AS mentions, e.alias_of AS alias_of

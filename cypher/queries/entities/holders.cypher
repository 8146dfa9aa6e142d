// Which entities of the subject have these identities.
UNWIND $rows AS row
MATCH (e:Entity {tenant: $tenant, subject_id: $subject, type: row.type, key: row.key, discriminator: row.discriminator})
WHERE NOT e.id IN $ids
RETURN row.id AS id, e.id AS holder, e.name AS name

// What each live memory of a subject says and which entities it mentions: what its communities are named after.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.holds_to IS NOT NULL AND m.subject_id = $subject
RETURN m.id AS id, m.text AS text, m.source_author AS author,
       COLLECT { MATCH (m)-[r:MENTIONS]->(e:Entity) WHERE r.recorded_to = $forever RETURN DISTINCT e {.id, .name} } AS entities

// Lets memories mention entities; names the mentions that are new.
UNWIND $pairs AS pair
MATCH (m:Memory {tenant: $tenant, id: pair[0]})
WHERE m.subject_id = $subject
MATCH (e:Entity {tenant: $tenant, id: pair[1]})
WHERE NOT EXISTS { MATCH (m)-[s:MENTIONS]->(e) WHERE s.recorded_to = $forever }
CREATE (m)-[:MENTIONS {tenant: $tenant, recorded_from: $pending, recorded_to: $forever}]->(e)
SET e.link_count = e.link_count + 1
RETURN m.id AS memory, e.id AS entity

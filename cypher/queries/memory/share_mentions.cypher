// Lets a memory mention what another mentions; names the mentions that are new.
MATCH (other:Memory {tenant: $tenant, id: $other})-[r:MENTIONS]->(e:Entity)
WHERE other.subject_id = $subject AND r.recorded_to = $forever
MATCH (keep:Memory {tenant: $tenant, id: $keep})
WHERE NOT EXISTS { MATCH (keep)-[s:MENTIONS]->(e) WHERE s.recorded_to = $forever }
WITH DISTINCT keep, e
CREATE (keep)-[:MENTIONS {tenant: $tenant, recorded_from: $pending, recorded_to: $forever}]->(e)
SET e.link_count = e.link_count + 1
RETURN keep.id AS memory, e.id AS entity

// Closes open mentions of an entity, of some memories or of all, and lets those memories mention another, if there is one.
MATCH (a:Entity {tenant: $tenant, id: $start})<-[r:MENTIONS]-(m:Memory)
WHERE a.subject_id = $subject AND r.recorded_to = $forever AND ($memories IS NULL OR m.id IN $memories)
OPTIONAL MATCH (b:Entity {tenant: $tenant, id: $to})
WITH a, b, r, m, b IS NOT NULL AND NOT EXISTS { (m)-[s:MENTIONS]->(b) WHERE s.recorded_to = $forever } AS opens
ORDER BY m.id
SET r.recorded_to = $pending, a.link_count = a.link_count - 1
FOREACH (_ IN CASE WHEN opens THEN [1] ELSE [] END |
  CREATE (m)-[:MENTIONS {tenant: $tenant, recorded_from: $pending, recorded_to: $forever}]->(b)
  SET b.link_count = b.link_count + 1
)
RETURN m.id AS memory, opens

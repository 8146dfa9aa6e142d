// Opens mentions again that were closed by what is undone, of what the entity leads to now.
UNWIND $pairs AS pair
MATCH (m:Memory {tenant: $tenant, id: pair[0]}), (was:Entity {tenant: $tenant, id: pair[1]})
OPTIONAL MATCH (led:Entity {tenant: $tenant, id: was.alias_of})
WITH m, coalesce(led, was) AS e
WHERE NOT EXISTS { (m)-[r:MENTIONS]->(e) WHERE r.recorded_to = $forever }
WITH DISTINCT m, e
CREATE (m)-[:MENTIONS {tenant: $tenant, recorded_from: $pending, recorded_to: $forever}]->(e)
SET e.link_count = e.link_count + 1
RETURN m.id AS memory, e.id AS entity

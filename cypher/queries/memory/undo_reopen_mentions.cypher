// Opens mentions again that were closed by what is undone.
UNWIND $pairs AS pair
MATCH (m:Memory {tenant: $tenant, id: pair[0]}), (e:Entity {tenant: $tenant, id: pair[1]})
CREATE (m)-[:MENTIONS {tenant: $tenant, recorded_from: $pending, recorded_to: $forever}]->(e)
SET e.link_count = e.link_count + 1
RETURN m.id AS memory, e.id AS entity

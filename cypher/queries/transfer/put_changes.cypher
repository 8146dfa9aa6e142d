// Puts changes back, each joined to the memories and entities that it names.
UNWIND $rows AS row
CREATE (c:Change {tenant: $tenant})
SET c += row.properties
WITH c
CALL (c) {
  WITH c
  WHERE c.classification STARTS WITH 'ENTITY'
  UNWIND c.targets + coalesce(c.sources, []) AS id
  MATCH (e:Entity {tenant: $tenant, id: id})
  CREATE (c)-[:CHANGED]->(e)
}
UNWIND c.targets + coalesce(c.sources, []) AS id
MATCH (m:Memory {tenant: $tenant, id: id})
CREATE (c)-[:CHANGED]->(m)

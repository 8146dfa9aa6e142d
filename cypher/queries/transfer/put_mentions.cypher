// Puts relationships of a memory to an entity back.
UNWIND $rows AS row
MATCH (a:Memory {tenant: $tenant, id: row.from}), (b:Entity {tenant: $tenant, id: row.to})
CREATE (a)-[r:$(row.kind)]->(b)
SET r = row.properties

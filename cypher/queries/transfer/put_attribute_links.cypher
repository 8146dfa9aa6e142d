// Puts relationships of an attribute to an entity back.
UNWIND $rows AS row
MATCH (a:Attribute {tenant: $tenant, id: row.from}), (b:Entity {tenant: $tenant, id: row.to})
CREATE (a)-[r:$(row.kind)]->(b)
SET r = row.properties

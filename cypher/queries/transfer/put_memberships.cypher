// Puts relationships of a memory to a community back.
UNWIND $rows AS row
MATCH (a:Memory {tenant: $tenant, id: row.from}), (b:Community {tenant: $tenant, id: row.to})
CREATE (a)-[r:$(row.kind)]->(b)
SET r = row.properties

// Puts relationships of a community to a community back.
UNWIND $rows AS row
MATCH (a:Community {tenant: $tenant, id: row.from}), (b:Community {tenant: $tenant, id: row.to})
CREATE (a)-[r:$(row.kind)]->(b)
SET r = row.properties

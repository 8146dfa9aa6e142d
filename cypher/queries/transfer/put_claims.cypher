// Puts relationships of a memory to an attribute back.
UNWIND $rows AS row
MATCH (a:Memory {tenant: $tenant, id: row.from}), (b:Attribute {tenant: $tenant, id: row.to})
CREATE (a)-[r:$(row.kind)]->(b)
SET r = row.properties
// include: claims/parts/captioned

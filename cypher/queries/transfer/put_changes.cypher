// Puts changes back, each joined to the memories that it names.
UNWIND $rows AS row
CREATE (c:Change {tenant: $tenant})
SET c += row.properties
WITH c
UNWIND c.targets + coalesce(c.sources, []) AS id
MATCH (m:Memory {tenant: $tenant, id: id})
CREATE (c)-[:CHANGED]->(m)

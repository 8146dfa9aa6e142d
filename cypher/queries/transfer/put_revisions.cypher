// Puts former states back, each at its memory.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.properties.memory_id})
CREATE (m)-[:REVISED_FROM]->(v:$(row.labels) {tenant: $tenant})
SET v += row.properties

// Puts reviews back, each with its subject and with what it is about.
UNWIND $rows AS row
MATCH (s:Subject {tenant: $tenant, id: row.properties.subject_id})
CREATE (r:$(row.labels) {tenant: $tenant})-[:BELONGS_TO]->(s)
SET r += row.properties
WITH r
UNWIND [r.memory_id, r.target_id] AS id
MATCH (m:Memory {tenant: $tenant, id: id})
CREATE (r)-[:ABOUT]->(m)

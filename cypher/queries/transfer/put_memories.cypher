// Puts memories back, each with its subject.
UNWIND $rows AS row
MATCH (s:Subject {tenant: $tenant, id: row.properties.subject_id})
CREATE (n:$(row.labels) {tenant: $tenant})-[:BELONGS_TO]->(s)
SET n += row.properties

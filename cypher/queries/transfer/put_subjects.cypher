// Puts subjects back, each in the tenant.
MATCH (t:Tenant {id: $tenant})
UNWIND $rows AS row
CREATE (n:$(row.labels) {tenant: $tenant})-[:BELONGS_TO]->(t)
SET n += row.properties

// From the name of an account or of a person one comes to what they own: memories and reviews belong to their subject, which
// belongs to its tenant, and a review is joined to the memories that it is about.
MATCH (s:Subject)
WHERE NOT EXISTS { (s)-[:BELONGS_TO]->() }
CALL (s) {
  MATCH (t:Tenant {id: s.tenant})
  CREATE (s)-[:BELONGS_TO]->(t)
} IN TRANSACTIONS OF 1000 ROWS;
MATCH (m:Memory)
WHERE NOT EXISTS { (m)-[:BELONGS_TO]->() }
CALL (m) {
  MATCH (s:Subject {tenant: m.tenant, id: m.subject_id})
  CREATE (m)-[:BELONGS_TO]->(s)
} IN TRANSACTIONS OF 10000 ROWS;
MATCH (r:Review)
WHERE NOT EXISTS { (r)-[:BELONGS_TO]->() }
CALL (r) {
  MATCH (s:Subject {tenant: r.tenant, id: r.subject_id})
  CREATE (r)-[:BELONGS_TO]->(s)
  WITH DISTINCT r
  UNWIND [r.memory_id, r.target_id] AS id
  MATCH (m:Memory {tenant: r.tenant, id: id})
  CREATE (r)-[:ABOUT]->(m)
} IN TRANSACTIONS OF 1000 ROWS;

// Every text that the memories ever had.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
OPTIONAL MATCH (m)-[:REVISED_FROM]->(v:Revision)
WITH m, collect(v.text) AS former
UNWIND former + [m.text] AS text
RETURN DISTINCT text

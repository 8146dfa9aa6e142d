// Removes the states of each memory from a merge on, which hold what is erased; the present one speaks from there on.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})
WHERE m.subject_id = $subject
SET m.recorded_from = row.at
WITH m, row
MATCH (m)-[:REVISED_FROM]->(v:Revision)
WHERE v.recorded_from >= row.at
DETACH DELETE v
RETURN count(*) AS dropped

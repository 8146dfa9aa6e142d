// The last state of each memory from before a moment.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})-[:REVISED_FROM]->(v:Revision)
WHERE m.subject_id = $subject AND v.recorded_to <= row.at
WITH m, v
ORDER BY v.recorded_from DESC
WITH m, collect(v)[0] AS last
RETURN m.id AS id, last {.*, embedding: null} AS state

// Takes tags that an erased memory had lent out of the former states of what it was merged into.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})-[:REVISED_FROM]->(v:Revision)
WHERE m.subject_id = $subject AND (v.recorded_to > row.at OR v.recorded_to = $pending)
SET v.tags = [tag IN v.tags WHERE NOT tag IN row.tags]
RETURN count(v) AS untagged

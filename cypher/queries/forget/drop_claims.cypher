// Removes what each memory stated from a merge on, and attributes of that alone; what it stated until then stands again.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})-[r:STATES]->(a:Attribute)
WHERE m.subject_id = $subject AND r.recorded_to >= row.at
// The open one goes before another takes its place.
WITH m, r, a, row
ORDER BY r.recorded_from DESC
CALL (m, r, a, row) {
  WHEN r.recorded_from >= row.at THEN {
    DELETE r
    WITH a
    WHERE NOT EXISTS { (a)<-[:STATES]-() }
    DETACH DELETE a
    RETURN 1 AS done
  } ELSE {
    SET r.recorded_to = $forever, r.open_key = m.id
    RETURN 1 AS done
  }
}
RETURN count(*) AS dropped

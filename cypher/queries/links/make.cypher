// Opens links that are not open already; for each its ends as they stand, and the id of the link that is open now.
UNWIND $rows AS row
OPTIONAL MATCH (a:Memory {tenant: $tenant, id: row.from})
WHERE a.subject_id = $subject
OPTIONAL MATCH (b:Memory {tenant: $tenant, id: row.to})
WHERE b.subject_id = $subject
OPTIONAL MATCH (a)-[r]->(b)
WHERE type(r) = row.kind AND r.open_key IS NOT NULL
CALL (row, a, b, r) {
  WHEN a IS NOT NULL AND b IS NOT NULL AND r IS NULL THEN {
    CREATE (a)-[made:$(row.kind) {
      tenant: $tenant, id: row.id, open_key: row.open_key, reason: row.reason, confidence: row.confidence,
      strength: row.strength, created_at: $now, created_by: row.created_by, run_id: row.run_id,
      recorded_from: $pending, recorded_to: $forever
    }]->(b)
    // What is archived and linked to anew may come back.
    FOREACH (_ IN CASE WHEN b.status = 'ARCHIVED' THEN [1] ELSE [] END | SET b.wanted_at = $now)
    RETURN made.id AS holder
  } ELSE {
    RETURN r.id AS holder
  }
}
RETURN row.id AS id, holder, a.status AS from_status, b.status AS to_status

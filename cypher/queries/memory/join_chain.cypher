// Opens SUPERSEDES links, closing the link that a new one stands in the place of.
UNWIND $rows AS row
MATCH (newer:Memory {tenant: $tenant, id: row.from}), (older:Memory {tenant: $tenant, id: row.to})
WHERE newer.subject_id = $subject AND older.subject_id = $subject
CALL (newer) {
  MATCH (newer)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(:Memory)
  SET r.open_key = null, r.recorded_to = $pending
}
CALL (older) {
  MATCH (:Memory)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older)
  SET r.open_key = null, r.recorded_to = $pending
}
CREATE (newer)-[:SUPERSEDES {
  tenant: $tenant, id: row.id, open_key: row.open_key, reason: row.reason, confidence: 1.0, strength: 1.0,
  created_at: $now, created_by: row.created_by, run_id: row.run_id, recorded_from: $pending, recorded_to: $forever
}]->(older)
RETURN count(*) AS opened

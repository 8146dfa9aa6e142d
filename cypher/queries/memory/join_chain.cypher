// Opens SUPERSEDES links, closing the link that a new one stands in the place of; names what it closed.
UNWIND $rows AS row
MATCH (newer:Memory {tenant: $tenant, id: row.from}), (older:Memory {tenant: $tenant, id: row.to})
WHERE newer.subject_id = $subject AND older.subject_id = $subject
CALL (newer, older) {
  OPTIONAL MATCH (newer)-[down:SUPERSEDES WHERE down.open_key IS NOT NULL]->(:Memory)
  OPTIONAL MATCH (:Memory)-[up:SUPERSEDES WHERE up.open_key IS NOT NULL]->(older)
  WITH collect(down) + collect(up) AS standing
  FOREACH (r IN standing | SET r.open_key = null, r.recorded_to = $pending)
  RETURN [r IN standing | r.id] AS closed
}
CREATE (newer)-[:SUPERSEDES {
  tenant: $tenant, id: row.id, open_key: row.open_key, reason: row.reason, confidence: coalesce(row.confidence, 1.0), strength: 1.0,
  created_at: $now, created_by: $actor, run_id: $run_id, recorded_from: $pending, recorded_to: $forever
}]->(older)
RETURN row.id AS id, closed

// Writes the state so far as a revision, then gives the memory its new validity and puts it among live or past.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})
CALL (m, row) {
  WITH m, row WHERE row.is_changed AND m.recorded_from <> $pending
  CREATE (v:Revision:Past {tenant: $tenant})
  SET v += properties(m), v.id = row.revision_id, v.memory_id = m.id, v.recorded_to = $pending, v.live_key = null
  CREATE (m)-[:REVISED_FROM]->(v)
}
SET m.valid_from = row.valid_from, m.valid_to = row.valid_to, m.chain_id = row.chain_id,
    m.recorded_from = CASE WHEN row.is_changed THEN $pending ELSE m.recorded_from END
WITH m
CALL (m) {
  WITH m WHERE m:Live AND m.valid_to <= $now
  SET m:Past
  REMOVE m:Live
  SET m.live_key = null
}
RETURN m.id AS id, m:Live AS is_live

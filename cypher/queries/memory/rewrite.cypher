// Writes each state so far as a revision, then gives the memory its new properties and its place among live or past.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})
WHERE m.subject_id = $subject
// All keys are given up first: one memory may take the key that another leaves.
SET m.live_key = null
WITH collect({m: m, row: row}) AS all
UNWIND all AS each
WITH each.m AS m, each.row AS row
OPTIONAL MATCH (m)-[:REVISED_FROM]->(before:Revision {content_hash: row.vector_of})
WITH m, row, head(collect(before.embedding)) AS vector
CALL (m, row) {
  WITH m, row
  WHERE row.revision_id IS NOT NULL AND m.recorded_from <> $pending
  CREATE (v:Revision:Past {tenant: $tenant})
  SET v += properties(m), v.id = row.revision_id, v.memory_id = m.id, v.recorded_to = $pending, v.live_key = null
  CREATE (m)-[:REVISED_FROM]->(v)
}
SET m += row.set
SET m.embedding = coalesce(vector, m.embedding),
    m.recorded_from = CASE WHEN row.revision_id IS NULL THEN m.recorded_from ELSE $pending END
WITH m, row, m.status = 'ACTIVE' AND m.valid_to > $now AND m.valid_to > m.valid_from AS lives
CALL (m, row, lives) {
  WHEN lives THEN {
    SET m:Live
    REMOVE m:Past
    SET m.live_key = row.live_key
  } ELSE {
    SET m:Past
    REMOVE m:Live
    SET m.live_key = null
  }
}
RETURN m.id AS id, lives AS is_live

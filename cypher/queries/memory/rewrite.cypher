// Writes each state so far as a revision, then gives the memory its new properties and its place among live or past.
OPTIONAL MATCH (space:VectorSpace {role: 'store'})
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})
WHERE m.subject_id = $subject
// All keys are given up first: one memory may take the key that another leaves.
SET m.live_key = null
WITH space, collect({m: m, row: row}) AS all
UNWIND all AS each
WITH space, each.m AS m, each.row AS row
OPTIONAL MATCH (m)-[:REVISED_FROM]->(before:Revision {content_hash: row.vector_of})
WITH space, m, row, head(collect(before {.embedding, .embedding_model, .embedding_next, .unembedded})) AS former
CALL (m, row) {
  WITH m, row
  WHERE row.revision_id IS NOT NULL AND m.recorded_from <> $pending
  CREATE (v:Revision:$(CASE WHEN m:Summary THEN 'Summary' ELSE 'Past' END) {tenant: $tenant})
  SET v += properties(m), v.id = row.revision_id, v.memory_id = m.id, v.recorded_to = $pending, v.live_key = null, v.wanted_at = null, v.lent = null
  CREATE (m)-[:REVISED_FROM]->(v)
}
SET m += row.set
SET m += coalesce(former, {})
// While the store's model is being changed, a vector goes where vectors of its model stand, or is made again.
FOREACH (_ IN CASE WHEN row.set.embedding IS NOT NULL AND row.set.embedding_model IN space.refused THEN [1] ELSE [] END |
  SET m.embedding_next = CASE WHEN row.set.embedding_model = space.next_model THEN row.set.embedding END,
      m.unembedded = CASE WHEN row.set.embedding_model = space.next_model THEN null ELSE true END,
      m.embedding = null,
      m.embedding_model = 'PENDING'
)
SET m.recorded_from = CASE WHEN row.revision_id IS NULL THEN m.recorded_from ELSE $pending END
WITH m, row, m.status = 'ACTIVE' AND m.holds_to > $now AND m.holds_to > m.valid_from AS lives
CALL (m, row, lives) {
  WHEN m:Summary THEN {
    SET m.live_key = null
  }
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

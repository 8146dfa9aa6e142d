// Gives passages the vector of the next model, if they still say the same.
UNWIND $rows AS row
CALL (row) {
  MATCH (s:Message {tenant: $tenant, id: row.id})
  WHERE s:Passage
  // include: embedding/parts/said
  WITH s, hash
  WHERE hash = row.hash
  RETURN s
}
SET s.embedding_next = row.vector
RETURN count(s) AS put

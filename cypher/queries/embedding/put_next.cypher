// Gives states the vector of the next model, if they still say the same.
UNWIND $rows AS row
CALL (row) {
  MATCH (s:Memory {tenant: $tenant, id: row.id})
  RETURN s
  UNION ALL
  MATCH (s:Revision {tenant: $tenant, id: row.id})
  RETURN s
}
WITH s, row
WHERE s.content_hash = row.hash
SET s.embedding_next = row.vector
RETURN count(s) AS put

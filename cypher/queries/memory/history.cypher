// Every state of every version of a truth, oldest first.
MATCH (named:Memory {tenant: $tenant, id: $id})
WHERE named.subject_id >= $lo AND named.subject_id <= $hi
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.chain_id = named.chain_id
OPTIONAL MATCH (newer:Memory)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(m)
CALL (m) {
  RETURN m AS s
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  RETURN v AS s
}
RETURN s {.*, embedding: null} AS state, newer.id AS superseded_by, r.reason AS reason
ORDER BY s.valid_from, s.recorded_from, s.valid_to

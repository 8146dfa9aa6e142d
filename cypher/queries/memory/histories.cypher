// For each memory every state of every version of its truth, oldest first.
UNWIND $ids AS id
MATCH (named:Memory {tenant: $tenant, id: id})
WHERE named.subject_id >= $lo AND named.subject_id <= $hi
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.chain_id = named.chain_id AND m.subject_id = named.subject_id
OPTIONAL MATCH (newer:Memory)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(m)
CALL (m) {
  RETURN m AS s
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  RETURN v AS s
}
WITH id, s, newer, r
ORDER BY s.valid_from, s.recorded_from, s.valid_to
RETURN id, collect({state: s {.*, embedding: null}, superseded_by: newer.id, reason: r.reason}) AS states

// The versions of the chains that some memories stand in, each with what it supersedes and how long it held before any of them.
UNWIND $ids AS id
MATCH (q:Memory {tenant: $tenant, id: id})
WHERE q.subject_id = $subject
WITH collect(DISTINCT q.chain_id) AS chains
UNWIND chains AS chain
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.chain_id = chain AND m.subject_id = $subject
CALL (m) {
  OPTIONAL MATCH (m)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory)
  RETURN head(collect({id: older.id, link: r.id})) AS down
}
CALL (m) {
  OPTIONAL MATCH (m)<-[ended:SUPERSEDES]-(by:Memory)
  WHERE by.id IN $ids
  WITH m, min(ended.recorded_from) AS first
  OPTIONAL MATCH (m)-[:REVISED_FROM]->(v:Revision {recorded_to: first})
  RETURN head(collect(v.valid_to)) AS held_to
}
RETURN m.id AS id, m.chain_id AS chain, m.valid_from AS valid_from, m.valid_to AS valid_to, m.status AS status,
       down.id AS older, down.link AS link, held_to

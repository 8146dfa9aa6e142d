// Takes its name from each conversation whose messages are all erased, and empties what the ledger says of it; says how many.
UNWIND $messages AS id
MATCH (:Message {tenant: $tenant, id: id})-[:PART_OF]->(s:Segment)
WHERE s.subject_id = $subject AND NOT EXISTS { MATCH (m:Message)-[:PART_OF]->(s) WHERE m.redacted_at IS NULL }
WITH DISTINCT s
SET s.ref = null
WITH collect(s.id) AS unnamed
CALL (unnamed) {
  WITH unnamed
  WHERE size(unnamed) > 0
  MATCH (c:Change)
  WHERE c.tenant = $tenant AND c.subject_id = $subject
    AND c.classification IN ['CONVERSATION', 'MESSAGES', 'CLOSED', 'SET_ASIDE', 'RETRIED'] AND all(id IN c.targets WHERE id IN unnamed)
  SET c.before = null, c.after = null, c.effects = null, c.salt = null, c.reason = '', c.session_id = null, c.emptied_at = $now
  RETURN count(c) AS changes
}
RETURN size(unnamed) AS segments, changes

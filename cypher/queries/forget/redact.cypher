// Empties the messages that the memories were extracted from; says which they are. What was said next waits for another vector.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[:EXTRACTED_FROM]->(msg:Message)
WHERE m.subject_id = $subject AND msg.redacted_at IS NULL
WITH DISTINCT msg
SET msg.text = '', msg.caption = '', msg.picture = null, msg.speaker = '', msg.ref = null, msg.session = null, msg.redacted_at = $now,
    msg.embedding = null, msg.embedding_next = null, msg.embedding_model = null, msg.unembedded = null
REMOVE msg:Passage
WITH collect(msg) AS redacted
CALL (redacted) {
  UNWIND redacted AS msg
  MATCH (next:Message {tenant: $tenant, segment_id: msg.segment_id, position: msg.position + 1})
  WHERE next.redacted_at IS NULL
  // Its vector was of what stands before it, too.
  SET next.embedding = null, next.embedding_next = null, next.embedding_model = 'PENDING', next.unembedded = true
}
UNWIND redacted AS msg
RETURN msg.id AS id

// Empties the messages that the memories were extracted from; names them.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[:EXTRACTED_FROM]->(msg:Message)
WHERE m.subject_id = $subject
WITH DISTINCT msg
SET msg.text = '', msg.caption = '', msg.picture = null, msg.redacted_at = $now
RETURN msg.id AS id

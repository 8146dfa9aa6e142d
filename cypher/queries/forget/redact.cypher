// Empties the messages that the memories were extracted from, with the names that their caller gave; says which they are.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[:EXTRACTED_FROM]->(msg:Message)
WHERE m.subject_id = $subject
WITH DISTINCT msg
SET msg.text = '', msg.caption = '', msg.picture = null, msg.speaker = '', msg.ref = null, msg.session = null, msg.redacted_at = $now
RETURN msg.id AS id

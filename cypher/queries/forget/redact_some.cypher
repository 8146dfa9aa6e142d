// Empties messages of the subject, at most so many, with the names that their caller gave; says which they are.
MATCH (msg:Message)
WHERE msg.tenant = $tenant AND msg.subject_id = $subject AND msg.redacted_at IS NULL
WITH msg
LIMIT $most
SET msg.text = '', msg.caption = '', msg.picture = null, msg.speaker = '', msg.ref = null, msg.session = null, msg.redacted_at = $now,
    msg.extracted_at = coalesce(msg.extracted_at, $now), msg.set_aside = null, msg.fault = null, msg.tries = null,
    msg.embedding = null, msg.embedding_next = null, msg.embedding_model = null, msg.unembedded = null
REMOVE msg:Passage
RETURN msg.id AS id

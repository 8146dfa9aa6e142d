// How much is left of what comes from a source, or of all of the subject: memories, messages with a text, changes that hold something.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.subject_id = $subject AND ($everything OR m.source_ref = $source)
  RETURN count(m) AS memories
}
CALL () {
  MATCH (msg:Message)
  WHERE $everything AND msg.tenant = $tenant AND msg.subject_id = $subject AND msg.redacted_at IS NULL
  RETURN count(msg) AS messages
}
CALL () {
  MATCH (c:Change)
  WHERE $everything AND c.tenant = $tenant AND c.subject_id = $subject
    AND (c.before IS NOT NULL OR c.after IS NOT NULL OR c.effects IS NOT NULL OR c.salt IS NOT NULL OR c.reason <> ''
         OR c.session_id IS NOT NULL)
  RETURN count(c) AS changes
}
RETURN memories, messages, changes

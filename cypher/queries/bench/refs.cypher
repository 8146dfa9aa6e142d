// The messages of a subject, by the names that their conversation gave them.
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.id >= '' AND m.subject_id = $subject
RETURN m.ref AS ref, m.id AS id

// Some of the memories that come from a source, or of all of the subject.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.subject_id = $subject AND ($everything OR m.source_ref = $source)
WITH m.id AS id
ORDER BY id
LIMIT $most
RETURN id

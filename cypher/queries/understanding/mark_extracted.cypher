// Marks messages as extracted; answers those that nobody had extracted before.
UNWIND $ids AS id
MATCH (m:Message {tenant: $tenant, id: id})
WHERE m.extracted_at IS NULL
SET m.extracted_at = $now
RETURN m.id AS id

// Remembers which messages have been extracted.
UNWIND $ids AS id
MATCH (m:Message {tenant: $tenant, id: id})
SET m.extracted_at = $now

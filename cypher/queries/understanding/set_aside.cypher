// Leaves out a message that could not be read in several tries, with the reason; its segment is closed when it was the last.
MATCH (m:Message {tenant: $tenant, id: $id})
WHERE m.extracted_at IS NULL
SET m.extracted_at = $now, m.set_aside = coalesce(m.fault, $reason)
RETURN m.segment_id AS segment_id

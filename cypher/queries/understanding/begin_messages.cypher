// Notes a try of messages by a run before they are read, so that one that ends its reader's process is known.
UNWIND $ids AS id
MATCH (m:Message {tenant: $tenant, id: id})
WHERE m.extracted_at IS NULL
SET m.tries = coalesce(m.tries, []) + $run, m.fault = null
RETURN count(m) AS messages

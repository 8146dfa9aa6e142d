// Notes why a try of messages failed; without a reason it counts for nothing.
UNWIND $ids AS id
MATCH (m:Message {tenant: $tenant, id: id})
WHERE m.extracted_at IS NULL AND m.tries IS NOT NULL
SET m.fault = $fault, m.tries = CASE WHEN $fault IS NULL THEN m.tries[..size(m.tries) - 1] ELSE m.tries END
RETURN count(m) AS messages

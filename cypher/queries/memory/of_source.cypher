// The memories that a source was the origin of, in the order in which they were made.
MATCH (msg:Message)
WHERE msg.tenant = $tenant AND msg.ref = $ref AND msg.subject_id >= $lo AND msg.subject_id <= $hi
MATCH (m:Memory)-[:EXTRACTED_FROM]->(msg)
RETURN m.id AS id
ORDER BY m.valid_from, m.id

// Notes that a memory has been judged.
MATCH (m:Memory {tenant: $tenant, id: $id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
SET m.unjudged = null
RETURN m.id AS id

// Memories of the subject with all that a change may need of them; the vector stays where it is.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
RETURN m {.*, embedding: null} AS memory

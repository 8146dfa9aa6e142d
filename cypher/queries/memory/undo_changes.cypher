// Changes of the subject by their sequence numbers, and when what they held was erased.
UNWIND $sequences AS sequence
MATCH (c:Change {tenant: $tenant, sequence: sequence})
WHERE c.subject_id = $subject
OPTIONAL MATCH (asked:Request {tenant: $tenant, id: c.request_id})
RETURN c {.*, undone_by: c.undone_by, erased_at: asked.erased_at} AS change

// Changes of the subject by their sequence numbers.
UNWIND $sequences AS sequence
MATCH (c:Change {tenant: $tenant, sequence: sequence})
WHERE c.subject_id = $subject
RETURN c {.*, undone_by: c.undone_by} AS change

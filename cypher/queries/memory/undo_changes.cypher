// Changes of the subject by their sequence numbers, and when what they held was erased.
// An approval is one act: what it changed before goes along, such as that a person stands for the memory, or its new words.
UNWIND $sequences AS sequence
MATCH (named:Change {tenant: $tenant, sequence: sequence})
WHERE named.subject_id = $subject
OPTIONAL MATCH (asked:Request {tenant: $tenant, id: named.request_id})
CALL (named, asked) {
  RETURN named AS c
  UNION
  WITH named, asked
  WHERE asked.operation = $approval
  MATCH (c:Change {tenant: $tenant, request_id: asked.id})
  WHERE c.sequence < named.sequence AND c.undone_by IS NULL
  RETURN c
}
WITH DISTINCT c, asked
RETURN c {.*, undone_by: c.undone_by, erased_at: asked.erased_at} AS change

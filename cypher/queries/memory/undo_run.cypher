// What a run did to the subject and nobody has undone, and when what it held was erased.
MATCH (c:Change {tenant: $tenant, run_id: $run_id})
WHERE c.subject_id = $subject AND c.undone_by IS NULL 
  AND (c.operation <> 'NOOP' OR c.classification = 'DUPLICATE' AND size(c.sources) > 0)
OPTIONAL MATCH (asked:Request {tenant: $tenant, id: c.request_id})
RETURN c {.*, undone_by: c.undone_by, erased_at: asked.erased_at} AS change

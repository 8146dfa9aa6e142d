// What a run did to the subject and nobody has undone.
MATCH (c:Change {tenant: $tenant, run_id: $run_id})
WHERE c.subject_id = $subject AND c.undone_by IS NULL 
  AND (c.operation <> 'NOOP' OR c.classification = 'DUPLICATE' AND size(c.sources) > 0)
RETURN c {.*, undone_by: c.undone_by} AS change

// Removes ended runs of these jobs, all but the newest of each job and status and those whose changes undo may need; says how many.
UNWIND $jobs AS job
CALL (job) {
  MATCH (r:Run)
  WHERE r.tenant = $tenant AND r.id IS NOT NULL AND r.job = job.name AND r.status IN ['DONE', 'FAILED', 'CANCELLED']
  WITH r
  ORDER BY r.created_at DESC, r.id DESC
  WITH r.status AS status, collect(r)[$keep..] AS old
  UNWIND old AS r
  WITH r
  WHERE NOT job.leaves_changes OR NOT EXISTS { MATCH (c:Change) WHERE c.tenant = $tenant AND c.run_id = r.id }
  WITH r
  LIMIT 10000
  CALL (r) {
    MATCH (p:PlannedMerge)
    WHERE p.tenant = $tenant AND p.run_id = r.id
    DELETE p
  }
  DELETE r
  RETURN count(*) AS removed
}
RETURN sum(removed) AS removed

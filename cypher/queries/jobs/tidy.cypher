// Removes successful planned runs of these jobs, all but the newest and those whose changes undo may need; says how many.
UNWIND $jobs AS job
CALL (job) {
  MATCH (r:Run)
  WHERE r.tenant = $tenant AND r.job = job.name AND r.slot IS NOT NULL AND r.status = 'DONE'
  WITH r
  ORDER BY r.slot DESC
  SKIP $keep
  WITH r
  WHERE NOT job.leaves_changes OR NOT EXISTS { MATCH (c:Change) WHERE c.tenant = $tenant AND c.run_id = r.id }
  WITH r
  LIMIT 10000
  DELETE r
  RETURN count(*) AS removed
}
RETURN sum(removed) AS removed

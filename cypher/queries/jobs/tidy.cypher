// Removes successful planned runs of these jobs, all but the newest; says how many.
UNWIND $jobs AS job
CALL (job) {
  MATCH (r:Run)
  WHERE r.tenant = $tenant AND r.job = job AND r.slot IS NOT NULL AND r.status = 'DONE'
  WITH r
  ORDER BY r.slot DESC
  SKIP $keep
  WITH r
  LIMIT 10000
  DELETE r
  RETURN count(*) AS removed
}
RETURN sum(removed) AS removed

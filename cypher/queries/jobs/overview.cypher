// What became of each planned job in a tenant: its latest run, its latest success, and how many of the last hundred failed.
UNWIND $jobs AS job
OPTIONAL CALL (job) {
  MATCH (r:Run)
  WHERE r.tenant = $tenant AND r.job = job AND r.slot IS NOT NULL
  RETURN r {.*} AS latest
  ORDER BY r.slot DESC
  LIMIT 1
}
OPTIONAL CALL (job) {
  MATCH (r:Run)
  WHERE r.tenant = $tenant AND r.job = job AND r.slot IS NOT NULL AND r.status = 'DONE'
  RETURN r.finished_at AS succeeded_at
  ORDER BY r.slot DESC
  LIMIT 1
}
CALL (job) {
  MATCH (r:Run)
  WHERE r.tenant = $tenant AND r.job = job AND r.slot IS NOT NULL
  WITH r
  ORDER BY r.slot DESC
  LIMIT 100
  RETURN sum(CASE r.status WHEN 'FAILED' THEN 1 ELSE 0 END) AS failures
}
RETURN job, latest, succeeded_at, failures

// What became of each planned job in a tenant: its latest run of any kind, its latest slot and success, and how many of the last hundred failed.
OPTIONAL MATCH (t:Tenant {id: $tenant})
CALL () {
  MATCH (r:Run)
  WHERE r.tenant = $tenant AND r.id IS NOT NULL AND r.job IN $jobs
  WITH r
  ORDER BY r.created_at DESC, r.id DESC
  WITH r.job AS job, max(r.slot) AS slot, max(CASE r.status WHEN 'DONE' THEN r.finished_at END) AS succeeded_at, collect(r) AS runs
  RETURN collect({
    job: job, slot: slot, succeeded_at: succeeded_at, latest: properties(runs[0]),
    failures: size([run IN runs[..100] WHERE run.status = 'FAILED'])
  }) AS found
}
RETURN t.created_at AS known_since, found

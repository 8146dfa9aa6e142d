// Makes and claims the run of a slot; no row when somebody did before, while an earlier one is unfinished, or right after it.
OPTIONAL MATCH (earlier:Run)
WHERE earlier.status IN ['PENDING', 'RUNNING'] AND earlier.tenant = $tenant AND earlier.job = $job
  AND earlier.slot IS NOT NULL AND earlier.slot <> $slot
WITH count(earlier) AS unfinished
WHERE unfinished = 0 AND NOT EXISTS {
  MATCH (last:Run)
  WHERE last.tenant = $tenant AND last.job = $job AND last.slot < $slot AND last.status = 'DONE' AND last.finished_at > $not_since
}
MERGE (r:Run {tenant: $tenant, job: $job, slot: $slot})
ON CREATE SET r += $run
WITH r
WHERE r.id = $run.id
RETURN r {.*} AS run

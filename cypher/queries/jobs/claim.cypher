// Makes and claims the run of a slot; no row when somebody did before, or while an earlier planned run is unfinished.
OPTIONAL MATCH (earlier:Run)
WHERE earlier.status IN ['PENDING', 'RUNNING'] AND earlier.tenant = $tenant AND earlier.job = $job
  AND earlier.slot IS NOT NULL AND earlier.slot <> $slot
WITH count(earlier) AS unfinished
WHERE unfinished = 0
MERGE (r:Run {tenant: $tenant, job: $job, slot: $slot})
ON CREATE SET r += $run
WITH r
WHERE r.id = $run.id
RETURN r {.*} AS run

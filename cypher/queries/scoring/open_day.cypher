// The run that keeps the changes of tier which uses and changes of memories made on a day; the first of them makes it.
MERGE (r:Run {tenant: $tenant, id: $run.id})
ON CREATE SET r += $run
SET r.updated_at = $now, r.finished_at = $now
RETURN r.moves AS moves, r.result AS result

// A run that no slot planned; the same id again finds it.
MERGE (r:Run {tenant: $tenant, id: $run.id})
ON CREATE SET r += $run
RETURN r {.*} AS run

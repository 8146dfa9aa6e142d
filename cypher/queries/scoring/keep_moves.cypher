// Keeps changes of tier on the run that made them.
MATCH (r:Run {tenant: $tenant, id: $run})
SET r.moves = $moves

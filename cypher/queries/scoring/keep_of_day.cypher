// Keeps the changes of tier of a day and their counts on the day's run.
MATCH (r:Run {tenant: $tenant, id: $run})
SET r.moves = $moves, r.result = $result

// The changes of tier that a run made and kept.
MATCH (r:Run {tenant: $tenant, id: $run})
RETURN r.moves AS moves

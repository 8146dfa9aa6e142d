// A run by its id.
MATCH (r:Run {tenant: $tenant, id: $id})
RETURN r {.*} AS run

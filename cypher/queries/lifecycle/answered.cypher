// A memory is wanted no longer: it came back, or stays where it is.
MATCH (m:Memory {tenant: $tenant, id: $id})
REMOVE m.wanted_at

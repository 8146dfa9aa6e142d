// What the plain driver would read of one memory.
MATCH (m:Memory {tenant: $tenant, id: $id})
RETURN m {.*, embedding: null} AS state

// Locks a lease until this transaction ends and compares its number; no row when another took it.
MATCH (l:Lease {tenant: $tenant, name: $lease})
SET l.locked_by = $owner
WITH l
WHERE l.fence = $fence
RETURN l.fence AS fence

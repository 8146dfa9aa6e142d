// Takes an unfinished run for sending it again; no row when another did.
MATCH (r:Run {tenant: $tenant, id: $id})
SET r.updated_at = r.updated_at
WITH r
WHERE r.status IN ['PENDING', 'RUNNING'] AND r.due_at.epochMillis = $seen.epochMillis
SET r.due_at = $due_at, r.deliveries = $deliveries
RETURN r.id AS id

// Gives a lease back; its number stays, so that it never goes back. One made for a single run ends with the run.
MATCH (l:Lease {tenant: $tenant, name: $lease})
SET l.locked_by = $owner
WITH l
WHERE l.fence = $fence
SET l.owner = null, l.expires_at = datetime({epochSeconds: 0})
WITH l
MATCH (r:Run {tenant: $tenant, id: $run})
WITH l, r
WHERE r.lease = l.name AND l.name ENDS WITH r.id AND NOT r.status IN ['PENDING', 'RUNNING']
DELETE l

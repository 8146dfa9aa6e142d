// Holds a lease for longer; no row when another took it.
MATCH (l:Lease {tenant: $tenant, name: $lease})
SET l.locked_by = $owner
WITH l
WHERE l.fence = $fence
SET l.expires_at = datetime.realtime() + duration({milliseconds: $milliseconds})
RETURN l.fence AS fence

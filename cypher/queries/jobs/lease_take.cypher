// Takes a lease that is free, has run out or whose holder is gone, with a higher number than any before; says who holds it.
MERGE (l:Lease {tenant: $tenant, name: $lease})
ON CREATE SET l.fence = 0, l.expires_at = datetime({epochSeconds: 0})
SET l.locked_by = $owner
WITH l, l.expires_at <= datetime.realtime() OR coalesce(l.owner IN [$owner, $gone], false) AS is_free
SET l.owner = CASE WHEN is_free THEN $owner ELSE l.owner END,
    l.fence = CASE WHEN is_free THEN l.fence + 1 ELSE l.fence END,
    l.expires_at = CASE WHEN is_free THEN datetime.realtime() + duration({milliseconds: $milliseconds}) ELSE l.expires_at END
RETURN l.owner AS holder, l.fence AS fence

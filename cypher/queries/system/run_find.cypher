// A run by its id, whichever tenant it belongs to.
MATCH (t:Tenant)
MATCH (r:Run {tenant: t.id, id: $id})
RETURN t.name AS tenant, r {.*} AS run

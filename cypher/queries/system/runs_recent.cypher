// The latest runs of these jobs in all tenants, with one status or any, and the tenant of each.
MATCH (r:Run)
WHERE r.job IN $jobs AND ($status IS NULL OR r.status = $status)
WITH r
ORDER BY r.created_at DESC, r.id
LIMIT $first
MATCH (t:Tenant {id: r.tenant})
RETURN t.name AS tenant, r {.*} AS run
ORDER BY r.created_at DESC, r.id

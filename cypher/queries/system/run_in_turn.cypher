// The run whose turn it is among those that wait as this one does: of the tenant with the fewest under way, that was served the longest ago.
MATCH (asked:Run {tenant: $tenant, id: $id})
WHERE asked.job IN $jobs AND asked.status <> 'RUNNING'
MATCH (r:Run)
WHERE r.status = 'PENDING' AND r.job = asked.job AND (r.attempts = 0 OR r.due_at <= $now)
WITH r
ORDER BY r.created_at, r.id
WITH r.tenant AS tenant, r.job AS job, head(collect(r.id)) AS id
CALL (tenant, job) {
  OPTIONAL MATCH (other:Run)
  WHERE other.tenant = tenant AND other.job = job AND other.started_at IS NOT NULL
  RETURN count(CASE WHEN other.status = 'RUNNING' THEN 1 END) AS under_way, max(other.updated_at.epochMillis) AS served
}
MATCH (t:Tenant {id: tenant})
RETURN t.name AS tenant, id
ORDER BY under_way, coalesce(served, 0), id
LIMIT 1

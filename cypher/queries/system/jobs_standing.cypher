// How each of these jobs stands in each tenant where it ever ran: status of its latest run of any kind, latest slot, latest success.
MATCH (r:Run)
WHERE r.job IN $jobs
// Lists are compared item by item, so the greatest is that of the latest run.
WITH r.tenant AS tenant, r.job AS job, max(r.slot) AS slot, max(CASE r.status WHEN 'DONE' THEN r.finished_at.epochMillis END) AS succeeded,
     max([r.created_at, r.id, r.status]) AS latest
// Tenants share their slots: thousands of them come as a few rows.
RETURN job, slot, latest[2] AS status, collect({tenant: tenant, succeeded: succeeded}) AS tenants

// The tenants in which nobody has claimed this slot of a job yet.
MATCH (t:Tenant)
WHERE NOT EXISTS { MATCH (:Run {tenant: t.id, job: $job, slot: $slot}) }
RETURN t.name AS name
ORDER BY name

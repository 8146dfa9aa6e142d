// The run of a slot.
MATCH (r:Run {tenant: $tenant, job: $job, slot: $slot})
RETURN r {.*} AS run

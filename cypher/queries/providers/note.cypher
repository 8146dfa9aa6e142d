// The day's cost of the tenant after these calls were counted, each with its like.
UNWIND $rows AS row
MERGE (s:Spend {tenant: $tenant, day: row.day, provider: row.provider, model: row.model, purpose: row.purpose})
SET s.calls = coalesce(s.calls, 0) + row.calls,
    s.failures = coalesce(s.failures, 0) + row.failures,
    s.tokens_in = coalesce(s.tokens_in, 0) + row.tokens_in,
    s.tokens_out = coalesce(s.tokens_out, 0) + row.tokens_out,
    s.cost = coalesce(s.cost, 0.0) + row.cost,
    s.unpriced = coalesce(s.unpriced, 0) + row.unpriced,
    s.left_out = coalesce(s.left_out, []) + [name IN row.left_out WHERE NOT name IN coalesce(s.left_out, [])],
    s.updated_at = $now
WITH count(*) AS written
MATCH (day:Spend {tenant: $tenant, day: $day})
RETURN sum(day.cost) AS cost

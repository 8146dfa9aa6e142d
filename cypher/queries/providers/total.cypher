// What the tenant's calls of language models have cost on one day.
OPTIONAL MATCH (s:Spend {tenant: $tenant, day: $day})
RETURN coalesce(sum(s.cost), 0.0) AS cost

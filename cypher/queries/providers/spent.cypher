// What the tenant's calls of language models took in an interval of days, newest first.
MATCH (s:Spend {tenant: $tenant})
WHERE s.day >= $start AND s.day < $end
RETURN s {.day, .provider, .model, .purpose, .calls, .failures, .tokens_in, .tokens_out, .cost, .unpriced, .left_out} AS spend
ORDER BY s.day DESC, s.cost DESC, s.provider, s.model, s.purpose

// What the calls of language models of all tenants have taken, by provider and purpose.
MATCH (s:Spend)
RETURN s.provider AS provider, s.purpose AS purpose, sum(s.calls) AS calls, sum(s.failures) AS failures,
       sum(s.tokens_in) AS tokens_in, sum(s.tokens_out) AS tokens_out, sum(s.cost) AS cost

// How many days each person of a tenant was active.
MATCH (s:Subject)
WHERE s.tenant = $tenant AND s.id >= '' AND s.activity_days > 0
RETURN s.id AS id, s.activity_days AS days

// Whether this key has been used, and what the parts came to that were erased under it before.
OPTIONAL MATCH (whole:Request {tenant: $tenant, subject_id: $wall, operation: 'forget', key: $key})
WITH count(whole) > 0 AS is_claimed
OPTIONAL MATCH (part:Request)
WHERE part.tenant = $tenant AND part.subject_id = $wall AND part.operation = 'forget' AND part.key STARTS WITH $prefix
  AND part.answer IS NOT NULL
RETURN is_claimed, collect(part.answer) AS answers

// Spreads the ages and accesses of a bench's memories over a year, the same way every time.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= ''
CALL (m) {
  WITH m, toInteger(split(m.text, ' ')[-1]) AS number
  SET m.created_at = $now - duration({hours: number * 7919 % 8760}), m.access_count = number * 31 % 7,
      m.last_accessed_at = CASE WHEN number % 7 = 0 THEN null ELSE $now - duration({hours: number * 7919 % 8760 * (number % 10) / 10}) END
} IN TRANSACTIONS OF 1000 ROWS
RETURN count(*) AS aged

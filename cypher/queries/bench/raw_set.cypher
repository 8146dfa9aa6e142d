// What the plain driver would send to set one property, in no index, on all memories of a tenant.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= ''
CALL (m) {
  SET m.confidence = $value
} IN $concurrency CONCURRENT TRANSACTIONS OF $batch ROWS
RETURN count(*) AS rescored

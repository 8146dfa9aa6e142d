// I12: leases that somebody holds without a number or an end.
MATCH (l:Lease)
WHERE l.tenant = $tenant AND l.name >= ''
  AND (l.fence IS NULL OR l.fence < 0 OR l.expires_at IS NULL OR (l.owner IS NOT NULL AND l.fence < 1))
WITH l.name AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

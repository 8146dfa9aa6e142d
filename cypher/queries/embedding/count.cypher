// How many states wait for their vector.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.unembedded = true
  RETURN count(m) AS states
  UNION ALL
  MATCH (r:Revision)
  WHERE r.tenant = $tenant AND r.unembedded = true
  RETURN count(r) AS states
}
RETURN sum(states) AS waiting

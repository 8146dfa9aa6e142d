// How many states and passages wait for their vector.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.unembedded = true
  RETURN count(m) AS states
  UNION ALL
  MATCH (r:Revision)
  WHERE r.tenant = $tenant AND r.unembedded = true
  RETURN count(r) AS states
  UNION ALL
  MATCH (p:Message)
  WHERE p.tenant = $tenant AND p.unembedded = true AND p:Passage
  RETURN count(p) AS states
}
RETURN sum(states) AS waiting

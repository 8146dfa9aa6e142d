// I10: a tenant whose end of the chain is not that of its last change.
OPTIONAL MATCH (t:Tenant {id: $tenant})
CALL () {
  OPTIONAL MATCH (c:Change)
  WHERE c.tenant = $tenant AND c.sequence > -1
  RETURN c
  ORDER BY c.sequence DESC
  LIMIT 1
}
WITH t, c
WHERE coalesce(t.chain, '') <> coalesce(c.chain, '')
RETURN count(t) AS violations, collect(toString(t.sequence))[..20] AS examples

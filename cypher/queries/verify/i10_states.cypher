// I10: recorded states that no change of the ledger began.
CALL () {
  MATCH (s:Memory)
  WHERE s.tenant = $tenant AND s.id >= ''
  RETURN s
  UNION ALL
  MATCH (s:Revision)
  WHERE s.tenant = $tenant AND s.id >= ''
  RETURN s
}
WITH s
WHERE s.recorded_from > $pending AND NOT EXISTS { MATCH (c:Change) WHERE c.tenant = $tenant AND c.at = s.recorded_from }
WITH s.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

// Which version of a truth answers at a moment: any member's id finds it, by the chain it stood in then.
MATCH (named:Memory {tenant: $tenant, id: $id})
WHERE named.subject_id >= $lo AND named.subject_id <= $hi
OPTIONAL MATCH (named)-[:REVISED_FROM]->(then:Revision)
WHERE then.recorded_from <= $known_at AND then.recorded_to > $known_at
WITH coalesce(then.chain_id, named.chain_id) AS chain
CALL (chain) {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.chain_id = chain
  RETURN m AS s
  UNION ALL
  MATCH (v:Revision)
  WHERE v.tenant = $tenant AND v.chain_id = chain
  RETURN v AS s
}
WITH s
WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
  AND s.valid_from <= $as_of AND s.holds_to > $as_of
RETURN s {.*, embedding: null} AS state
ORDER BY s.valid_from DESC
LIMIT 1

// Which version of a truth answers at a moment: any member's id finds it.
MATCH (named:Memory {tenant: $tenant, id: $id})
WHERE named.subject_id >= $lo AND named.subject_id <= $hi
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.chain_id = named.chain_id
CALL (m) {
  RETURN m AS s
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  RETURN v AS s
}
WITH s
WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
  AND s.valid_from <= $as_of AND s.valid_to > $as_of AND s.status = 'ACTIVE'
RETURN s {.*, embedding: null} AS state
ORDER BY s.valid_from DESC
LIMIT 1

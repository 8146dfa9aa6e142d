// I5: memories outside any chain, and links of supersession that leave their chain or subject.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.id >= '' AND m.chain_id IS NULL
  RETURN m.id AS id
  UNION ALL
  MATCH (m:Memory)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older)
  WHERE m.tenant = $tenant AND m.id >= '' AND NOT m:Summary
    AND NOT EXISTS { (m)<-[:MERGED_INTO]-(:Memory) } AND NOT EXISTS { (m)-[:CONSOLIDATES]->(:Memory) }
    AND (NOT older:Memory OR m.chain_id <> older.chain_id OR m.subject_id <> older.subject_id)
  RETURN m.id AS id
}
RETURN count(id) AS violations, collect(id)[..20] AS examples

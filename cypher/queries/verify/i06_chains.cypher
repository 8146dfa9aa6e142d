// I6: members of a chain that begin before what they supersede, and active ones that hold at the same time.
CALL () {
  MATCH (m:Memory)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory)
  WHERE m.tenant = $tenant AND m.id >= '' AND m.valid_from < older.valid_from
    AND NOT m:Summary AND NOT EXISTS { (m)<-[:MERGED_INTO]-(:Memory) } AND NOT EXISTS { (m)-[:CONSOLIDATES]->(:Memory) }
  RETURN m.id AS id
  UNION
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.id >= '' AND m.status = 'ACTIVE' AND m.valid_from < m.valid_to
    AND EXISTS { (m)-[:SUPERSEDES]-(:Memory) }
  WITH m.chain_id AS chain, m.id AS id, m.valid_from AS begun, m.valid_to AS ended
  ORDER BY begun
  WITH chain, collect({id: id, begun: begun, ended: ended}) AS members
  WHERE size(members) > 1
  UNWIND range(1, size(members) - 1) AS i
  WITH members[i - 1] AS before, members[i] AS after
  WHERE before.ended > after.begun
  RETURN after.id AS id
}
RETURN count(id) AS violations, collect(id)[..20] AS examples

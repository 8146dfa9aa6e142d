// I6: memories whose recorded states overlap, leave a gap or lack their last one, and revisions of no memory.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.id >= '' AND NOT coalesce(m.recorded_to = $forever, false)
  RETURN m.id AS id
  UNION ALL
  MATCH (m:Memory)-[:REVISED_FROM]->(v:Revision)
  WHERE m.tenant = $tenant AND m.id >= ''
  WITH m, v.recorded_from AS begun, v.recorded_to AS ended
  ORDER BY begun
  WITH m, collect({begun: begun, ended: ended}) AS former
  WITH m, former + [{begun: m.recorded_from, ended: m.recorded_to}] AS states
  WHERE any(i IN range(1, size(states) - 1) WHERE states[i - 1].ended <> states[i].begun)
  RETURN m.id AS id
  UNION ALL
  MATCH (v:Revision)
  WHERE v.tenant = $tenant AND v.id >= '' AND COUNT { (m:Memory WHERE m.id = v.memory_id)-[:REVISED_FROM]->(v) } <> 1
  RETURN v.id AS id
}
RETURN count(id) AS violations, collect(id)[..20] AS examples

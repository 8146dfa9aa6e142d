// The same as it was recorded at a moment, in the words of then: `predecessors` of each `row`.
CALL (row) {
  WITH row.node AS here
  MATCH (:Memory {tenant: $tenant, id: coalesce(here.memory_id, here.id)})
        (()-[c:SUPERSEDES WHERE c.recorded_from <= $known_at AND c.recorded_to > $known_at]->(wrong:Memory
          WHERE (wrong.recorded_from <= $known_at AND wrong.valid_from >= wrong.valid_to) OR EXISTS {
            MATCH (wrong)-[:REVISED_FROM]->(s:Revision)
            WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at AND s.valid_from >= s.valid_to
          })){0,20}
        ()-[r:SUPERSEDES WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at]->(m:Memory)
  WITH m, r,
  // include: recall/parts/then
  WHERE node.status = 'ACTIVE' AND node.valid_from < node.valid_to
    AND ($trusted IS NULL OR node.source_kind IN $trusted OR node.confirmed_at IS NOT NULL)
  RETURN collect({id: m.id, text: node.text, until: node.valid_to, reason: r.reason}) AS predecessors
}

// What a message brings up and what is kept: what each is ranked by, and the memories that links lead to from it in up to two hops.
// The ids are a map: the server plans anew for each length of a list that is a parameter itself.
CALL () {
  UNWIND $ids.found AS id
  MATCH (m:Memory {tenant: $tenant, id: id})
  RETURN m, null AS start
  UNION ALL
  UNWIND $ids.kept AS start
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.id STARTS WITH start
  RETURN m, start
}
WITH m, collect(start) AS starts
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
WITH m, starts,
// include: recall/parts/then
WHERE size(starts) = 0 OR (node.valid_from <= $as_of AND node.holds_to > $as_of
  AND ($trusted IS NULL OR node.source_kind IN $trusted OR node.confirmed_at IS NOT NULL))
OPTIONAL MATCH (s:Subject {tenant: $tenant, id: m.subject_id})
WITH m AS top, starts, node AS own, coalesce(s.activity_days, 0) - coalesce(m.created_day, 0) AS days
CALL (top) {
  WITH top AS here
  // include: recall/parts/led
  RETURN collect({m: m, node: node, worth: worth, way: [link]}) AS near
}
CALL (top, own, near) {
  CALL (top, near) {
    UNWIND near AS hop
    WITH hop
    WHERE $depth > 0
    RETURN hop
    UNION ALL
    UNWIND near AS first
    WITH top, near, first, first.m AS here
    WHERE $depth > 1 AND first.node.holds_to > $as_of
    CALL (here) {
      // include: recall/parts/led
      RETURN m, node, link, worth
    }
    WITH first, m, node, link, worth
    WHERE m <> top AND NOT m IN [each IN near | each.m]
    RETURN {m: m, node: node, worth: first.worth * worth, way: first.way + link} AS hop
  }
  WITH hop, hop.node AS node, hop.worth * ($of_linked * hop.node.importance + (1 - $of_linked) * own.importance) AS score
  ORDER BY score DESC, node.id
  LIMIT $most
  WITH hop, score,
  // include: recall/parts/state
  RETURN collect({state: state, score: score, links: [r IN hop.way | {
    id: r.id, kind: type(r), from_id: startNode(r).id, to_id: endNode(r).id, reason: r.reason, confidence: r.confidence,
    strength: r.strength, created_at: coalesce(r.created_at, r.weighed_at), created_by: r.created_by, weight: r.weight, names: r.names
  }]}) AS linked
}
// What the search found has told its state.
WITH top, starts, own, days, linked, CASE WHEN top.id IN $ids.found THEN null ELSE own END AS node
RETURN
// include: recall/parts/state
  , top.id AS id, starts, days, linked, 2 * vector.similarity.cosine(own.embedding, $vector) - 1 AS cosine,
  COUNT { (top)-[r:MENTIONS WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at]->() } AS entities,
  COUNT { (top)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES
          WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at]-() } AS links
ORDER BY id

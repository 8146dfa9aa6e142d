// What can be reached from memories in up to three hops, each once at its shortest depth, with the links that led there.
// The parameters are two maps: the server plans anew for each length of a list that is a parameter itself.
MATCH (n:Memory)
WHERE n.tenant = $tenant AND n.id IN $walk.ids AND n.subject_id >= $lo AND n.subject_id <= $hi
  AND (n.recorded_from <= $view.known_at OR EXISTS {
    (n)-[:REVISED_FROM]->(s:Revision WHERE s.recorded_from <= $view.known_at AND s.recorded_to > $view.known_at)})
WITH n, 0 AS depth, [] AS links, false AS is_cut
CALL (n, depth, links, is_cut) {
  RETURN n AS m, depth AS d, links AS led, is_cut AS cut
  UNION ALL
  WITH n
  WHERE depth = 0 AND $walk.depth >= 1
  CALL (n) {
    MATCH (n)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]->(other:Memory)
    WHERE type(r) IN $view.out AND coalesce(
      r.recorded_from <= $view.known_at AND r.recorded_to > $view.known_at AND r.strength >= $view.min_strength
        AND r.confidence >= $view.min_confidence, $view.with_shared AND r.weight >= $view.min_strength)
    WITH r, other
    LIMIT $walk.fan_out
    RETURN collect([r, other]) AS hits
    UNION ALL
    MATCH (n)<-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]-(other:Memory)
    WHERE type(r) IN $view.into AND coalesce(
      r.recorded_from <= $view.known_at AND r.recorded_to > $view.known_at AND r.strength >= $view.min_strength
        AND r.confidence >= $view.min_confidence, $view.with_shared AND r.weight >= $view.min_strength)
    WITH r, other
    LIMIT $walk.fan_out
    RETURN collect([r, other]) AS hits
  }
  UNWIND hits AS hit
  RETURN hit[1] AS m, 1 AS d, [hit[0]] AS led, size(hits) >= $walk.fan_out AS cut
}
WITH m AS n, min(d) AS depth, collect([d, led]) AS ways, max(cut) AS is_cut
WHERE depth < 1 OR (n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi AND NOT n.id IN $walk.seen)
CALL (n, depth) {
  WITH n
  WHERE depth = 0 OR n.recorded_from <= $view.known_at
  RETURN n AS s
  UNION ALL
  WITH n
  WHERE depth > 0 AND n.recorded_from > $view.known_at
  MATCH (n)-[:REVISED_FROM]->(s:Revision)
  WHERE s.recorded_from <= $view.known_at AND s.recorded_to > $view.known_at
  RETURN s
}
WITH n, s, depth, is_cut, reduce(led = [], way IN ways | CASE WHEN way[0] = depth THEN led + way[1] ELSE led END) AS links
WHERE depth = 0 OR CASE WHEN $view.as_of IS NULL THEN s.status IN $view.statuses
  ELSE s.valid_from <= $view.as_of AND (s.holds_to > $view.as_of OR (s.valid_to > $view.as_of AND s.status IN $view.put_away)) END
ORDER BY depth, reduce(best = 0.0, r IN links | CASE
  WHEN coalesce(r.strength * r.confidence, r.weight) > best THEN coalesce(r.strength * r.confidence, r.weight) ELSE best END) DESC, n.id
LIMIT $walk.limit
WITH n, depth, links, is_cut
CALL (n, depth, links, is_cut) {
  RETURN n AS m, depth AS d, links AS led, is_cut AS cut
  UNION ALL
  WITH n
  WHERE depth = 1 AND $walk.depth >= 2
  CALL (n) {
    MATCH (n)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]->(other:Memory)
    WHERE type(r) IN $view.out AND coalesce(
      r.recorded_from <= $view.known_at AND r.recorded_to > $view.known_at AND r.strength >= $view.min_strength
        AND r.confidence >= $view.min_confidence, $view.with_shared AND r.weight >= $view.min_strength)
    WITH r, other
    LIMIT $walk.fan_on
    RETURN collect([r, other]) AS hits
    UNION ALL
    MATCH (n)<-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]-(other:Memory)
    WHERE type(r) IN $view.into AND coalesce(
      r.recorded_from <= $view.known_at AND r.recorded_to > $view.known_at AND r.strength >= $view.min_strength
        AND r.confidence >= $view.min_confidence, $view.with_shared AND r.weight >= $view.min_strength)
    WITH r, other
    LIMIT $walk.fan_on
    RETURN collect([r, other]) AS hits
  }
  UNWIND hits AS hit
  RETURN hit[1] AS m, 2 AS d, [hit[0]] AS led, size(hits) >= $walk.fan_on AS cut
}
WITH m AS n, min(d) AS depth, collect([d, led]) AS ways, max(cut) AS is_cut
WHERE depth < 2 OR (n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi AND NOT n.id IN $walk.seen)
CALL (n, depth) {
  WITH n
  WHERE depth = 0 OR n.recorded_from <= $view.known_at
  RETURN n AS s
  UNION ALL
  WITH n
  WHERE depth > 0 AND n.recorded_from > $view.known_at
  MATCH (n)-[:REVISED_FROM]->(s:Revision)
  WHERE s.recorded_from <= $view.known_at AND s.recorded_to > $view.known_at
  RETURN s
}
WITH n, s, depth, is_cut, reduce(led = [], way IN ways | CASE WHEN way[0] = depth THEN led + way[1] ELSE led END) AS links
WHERE depth = 0 OR CASE WHEN $view.as_of IS NULL THEN s.status IN $view.statuses
  ELSE s.valid_from <= $view.as_of AND (s.holds_to > $view.as_of OR (s.valid_to > $view.as_of AND s.status IN $view.put_away)) END
ORDER BY depth, reduce(best = 0.0, r IN links | CASE
  WHEN coalesce(r.strength * r.confidence, r.weight) > best THEN coalesce(r.strength * r.confidence, r.weight) ELSE best END) DESC, n.id
LIMIT $walk.limit
WITH n, depth, links, is_cut
CALL (n, depth, links, is_cut) {
  RETURN n AS m, depth AS d, links AS led, is_cut AS cut
  UNION ALL
  WITH n
  WHERE depth = 2 AND $walk.depth >= 3
  CALL (n) {
    MATCH (n)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]->(other:Memory)
    WHERE type(r) IN $view.out AND coalesce(
      r.recorded_from <= $view.known_at AND r.recorded_to > $view.known_at AND r.strength >= $view.min_strength
        AND r.confidence >= $view.min_confidence, $view.with_shared AND r.weight >= $view.min_strength)
    WITH r, other
    LIMIT $walk.fan_on
    RETURN collect([r, other]) AS hits
    UNION ALL
    MATCH (n)<-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]-(other:Memory)
    WHERE type(r) IN $view.into AND coalesce(
      r.recorded_from <= $view.known_at AND r.recorded_to > $view.known_at AND r.strength >= $view.min_strength
        AND r.confidence >= $view.min_confidence, $view.with_shared AND r.weight >= $view.min_strength)
    WITH r, other
    LIMIT $walk.fan_on
    RETURN collect([r, other]) AS hits
  }
  UNWIND hits AS hit
  RETURN hit[1] AS m, 3 AS d, [hit[0]] AS led, size(hits) >= $walk.fan_on AS cut
}
WITH m AS n, min(d) AS depth, collect([d, led]) AS ways, max(cut) AS is_cut
WHERE depth < 3 OR (n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi AND NOT n.id IN $walk.seen)
CALL (n, depth) {
  WITH n
  WHERE depth = 0 OR n.recorded_from <= $view.known_at
  RETURN n AS s
  UNION ALL
  WITH n
  WHERE depth > 0 AND n.recorded_from > $view.known_at
  MATCH (n)-[:REVISED_FROM]->(s:Revision)
  WHERE s.recorded_from <= $view.known_at AND s.recorded_to > $view.known_at
  RETURN s
}
WITH n, s, depth, is_cut, reduce(led = [], way IN ways | CASE WHEN way[0] = depth THEN led + way[1] ELSE led END) AS links
WHERE depth = 0 OR CASE WHEN $view.as_of IS NULL THEN s.status IN $view.statuses
  ELSE s.valid_from <= $view.as_of AND (s.holds_to > $view.as_of OR (s.valid_to > $view.as_of AND s.status IN $view.put_away)) END
ORDER BY depth, reduce(best = 0.0, r IN links | CASE
  WHEN coalesce(r.strength * r.confidence, r.weight) > best THEN coalesce(r.strength * r.confidence, r.weight) ELSE best END) DESC, n.id
LIMIT $walk.limit
RETURN n.id AS id, depth, is_cut, CASE depth WHEN 0 THEN null ELSE s {
  .id, .memory_id, .subject_id, .text, .caption, .heading, .kind, .tags, .labels, .metadata, .status, .confidence, .importance,
  .base_importance, .tier, .retention, .feedback, .critical, .pinned, .access_count, .last_accessed_at, .happens_at, .expires_at, .valid_from, .valid_to, .holds_to,
  .recorded_from, .recorded_to, .created_at, .updated_at, .chain_id, .session_id, .agent_id, .source_kind, .source_ref, .source_author, .confirmed_at
} END AS state, [r IN links | {
  id: r.id, kind: type(r), from_id: startNode(r).id, to_id: endNode(r).id, reason: r.reason, confidence: r.confidence,
  strength: r.strength, created_at: coalesce(r.created_at, r.weighed_at), created_by: r.created_by, weight: r.weight,
  names: r.names
}] AS links

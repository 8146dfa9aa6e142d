// What can be reached from memories in up to three steps, each once at its shortest depth, with the links that led there.
MATCH (start:Memory)
WHERE start.tenant = $tenant AND start.id IN $ids AND start.subject_id >= $lo AND start.subject_id <= $hi
  AND (start.recorded_from <= $known_at OR EXISTS {
    (start)-[:REVISED_FROM]->(s:Revision WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at)})
WITH collect(start) AS nodes0, collect(start.id) AS starts
WITH nodes0, nodes0 AS seen0, starts
CALL (seen0, nodes0) {
  WITH nodes0 AS here
  WHERE $depth >= 1
  UNWIND here AS m
  CALL (m) {
    MATCH (m)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]->(n:Memory)
    WHERE type(r) IN $out AND coalesce(
      r.recorded_from <= $known_at AND r.recorded_to > $known_at AND r.strength >= $min_strength
        AND r.confidence >= $min_confidence, $with_shared AND r.weight >= $min_strength)
    RETURN n, r
    LIMIT $fan_out
    UNION ALL
    MATCH (m)<-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]-(n:Memory)
    WHERE type(r) IN $into AND coalesce(
      r.recorded_from <= $known_at AND r.recorded_to > $known_at AND r.strength >= $min_strength
        AND r.confidence >= $min_confidence, $with_shared AND r.weight >= $min_strength)
    RETURN n, r
    LIMIT $fan_out
  }
  WITH m, n, r
  LIMIT $reads
  WITH m, collect([n, r]) AS hits
  WITH collect(hits) AS lists, max(size(hits)) AS most, sum(size(hits)) AS read
  CALL (lists, seen0) {
    UNWIND lists AS hits
    UNWIND hits AS hit
    WITH hit[0] AS n, hit[1] AS r
    WHERE NOT n IN seen0 AND NOT n.id IN $seen
      AND n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi
    WITH n, collect(r) AS links, max(coalesce(r.strength * r.confidence, r.weight)) AS weight
    CALL (n) {
      WITH n
      WHERE n.recorded_from <= $known_at
      RETURN n AS s
      UNION ALL
      WITH n
      WHERE n.recorded_from > $known_at
      MATCH (n)-[:REVISED_FROM]->(s:Revision)
      WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
      RETURN s
    }
    WITH n, s, links, weight
    WHERE s.status IN $statuses AND ($as_of IS NULL OR (s.valid_from <= $as_of AND s.valid_to > $as_of))
    ORDER BY weight DESC, n.id
    LIMIT $limit + 1
    RETURN collect(n) AS nodes1, collect({depth: 1, state: s {.*, embedding: null}, links: [r IN links | {
      id: r.id, kind: type(r), from_id: startNode(r).id, to_id: endNode(r).id, reason: r.reason, confidence: r.confidence,
      strength: r.strength, created_at: coalesce(r.created_at, r.weighed_at), created_by: r.created_by, weight: r.weight, names: r.names
    }]}) AS found1
  }
  RETURN nodes1, found1, coalesce(most >= $fan_out OR read >= $reads, false) AS cut1
}
WITH *, seen0 + nodes1 AS seen1
CALL (seen1, nodes1) {
  WITH nodes1 AS here
  WHERE $depth >= 2
  UNWIND here AS m
  CALL (m) {
    MATCH (m)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]->(n:Memory)
    WHERE type(r) IN $out AND coalesce(
      r.recorded_from <= $known_at AND r.recorded_to > $known_at AND r.strength >= $min_strength
        AND r.confidence >= $min_confidence, $with_shared AND r.weight >= $min_strength)
    RETURN n, r
    LIMIT $fan_out
    UNION ALL
    MATCH (m)<-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]-(n:Memory)
    WHERE type(r) IN $into AND coalesce(
      r.recorded_from <= $known_at AND r.recorded_to > $known_at AND r.strength >= $min_strength
        AND r.confidence >= $min_confidence, $with_shared AND r.weight >= $min_strength)
    RETURN n, r
    LIMIT $fan_out
  }
  WITH m, n, r
  LIMIT $reads
  WITH m, collect([n, r]) AS hits
  WITH collect(hits) AS lists, max(size(hits)) AS most, sum(size(hits)) AS read
  CALL (lists, seen1) {
    UNWIND lists AS hits
    UNWIND hits AS hit
    WITH hit[0] AS n, hit[1] AS r
    WHERE NOT n IN seen1 AND NOT n.id IN $seen
      AND n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi
    WITH n, collect(r) AS links, max(coalesce(r.strength * r.confidence, r.weight)) AS weight
    CALL (n) {
      WITH n
      WHERE n.recorded_from <= $known_at
      RETURN n AS s
      UNION ALL
      WITH n
      WHERE n.recorded_from > $known_at
      MATCH (n)-[:REVISED_FROM]->(s:Revision)
      WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
      RETURN s
    }
    WITH n, s, links, weight
    WHERE s.status IN $statuses AND ($as_of IS NULL OR (s.valid_from <= $as_of AND s.valid_to > $as_of))
    ORDER BY weight DESC, n.id
    LIMIT $limit + 1
    RETURN collect(n) AS nodes2, collect({depth: 2, state: s {.*, embedding: null}, links: [r IN links | {
      id: r.id, kind: type(r), from_id: startNode(r).id, to_id: endNode(r).id, reason: r.reason, confidence: r.confidence,
      strength: r.strength, created_at: coalesce(r.created_at, r.weighed_at), created_by: r.created_by, weight: r.weight, names: r.names
    }]}) AS found2
  }
  RETURN nodes2, found2, coalesce(most >= $fan_out OR read >= $reads, false) AS cut2
}
WITH *, seen1 + nodes2 AS seen2
CALL (seen2, nodes2) {
  WITH nodes2 AS here
  WHERE $depth >= 3
  UNWIND here AS m
  CALL (m) {
    MATCH (m)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]->(n:Memory)
    WHERE type(r) IN $out AND coalesce(
      r.recorded_from <= $known_at AND r.recorded_to > $known_at AND r.strength >= $min_strength
        AND r.confidence >= $min_confidence, $with_shared AND r.weight >= $min_strength)
    RETURN n, r
    LIMIT $fan_out
    UNION ALL
    MATCH (m)<-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]-(n:Memory)
    WHERE type(r) IN $into AND coalesce(
      r.recorded_from <= $known_at AND r.recorded_to > $known_at AND r.strength >= $min_strength
        AND r.confidence >= $min_confidence, $with_shared AND r.weight >= $min_strength)
    RETURN n, r
    LIMIT $fan_out
  }
  WITH m, n, r
  LIMIT $reads
  WITH m, collect([n, r]) AS hits
  WITH collect(hits) AS lists, max(size(hits)) AS most, sum(size(hits)) AS read
  CALL (lists, seen2) {
    UNWIND lists AS hits
    UNWIND hits AS hit
    WITH hit[0] AS n, hit[1] AS r
    WHERE NOT n IN seen2 AND NOT n.id IN $seen
      AND n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi
    WITH n, collect(r) AS links, max(coalesce(r.strength * r.confidence, r.weight)) AS weight
    CALL (n) {
      WITH n
      WHERE n.recorded_from <= $known_at
      RETURN n AS s
      UNION ALL
      WITH n
      WHERE n.recorded_from > $known_at
      MATCH (n)-[:REVISED_FROM]->(s:Revision)
      WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
      RETURN s
    }
    WITH n, s, links, weight
    WHERE s.status IN $statuses AND ($as_of IS NULL OR (s.valid_from <= $as_of AND s.valid_to > $as_of))
    ORDER BY weight DESC, n.id
    LIMIT $limit + 1
    RETURN collect(n) AS nodes3, collect({depth: 3, state: s {.*, embedding: null}, links: [r IN links | {
      id: r.id, kind: type(r), from_id: startNode(r).id, to_id: endNode(r).id, reason: r.reason, confidence: r.confidence,
      strength: r.strength, created_at: coalesce(r.created_at, r.weighed_at), created_by: r.created_by, weight: r.weight, names: r.names
    }]}) AS found3
  }
  RETURN nodes3, found3, coalesce(most >= $fan_out OR read >= $reads, false) AS cut3
}
RETURN starts, found1 + found2 + found3 AS found, cut1 OR cut2 OR cut3 AS is_cut

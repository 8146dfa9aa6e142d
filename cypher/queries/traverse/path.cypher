// A shortest path of links between two memories. Memories that changed since are let through: the caller looks at them.
MATCH (a:Memory {tenant: $tenant, id: $from}), (b:Memory {tenant: $tenant, id: $to})
WHERE a.subject_id >= $lo AND a.subject_id <= $hi AND b.subject_id >= $lo AND b.subject_id <= $hi
MATCH p = SHORTEST 1 (a) (()-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY WHERE type(r) IN $view.out AND coalesce(
    r.recorded_from <= $view.known_at AND r.recorded_to > $view.known_at, $view.with_shared)]-(n:Memory WHERE
    n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi AND (n.recorded_from > $view.known_at OR (
      CASE WHEN $view.as_of IS NULL THEN n.status IN $view.statuses ELSE n.valid_from <= $view.as_of
        AND (n.holds_to > $view.as_of OR (n.valid_to > $view.as_of AND n.status IN $view.put_away)) END)))
  ){1,6} (b)
RETURN [x IN nodes(p) | x.id] AS ids, [r IN relationships(p) | {
  id: r.id, kind: type(r), from_id: startNode(r).id, to_id: endNode(r).id, reason: r.reason, confidence: r.confidence,
  strength: r.strength, created_at: coalesce(r.created_at, r.weighed_at), created_by: r.created_by, weight: r.weight,
  names: r.names
}] AS links

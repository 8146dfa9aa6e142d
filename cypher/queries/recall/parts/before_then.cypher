// The same as it was recorded at a moment: `older` and how it was linked, `r`.
  OPTIONAL MATCH (:Memory {tenant: $tenant, id: coalesce(node.memory_id, node.id)})
        (()-[c:SUPERSEDES WHERE c.recorded_from <= $known_at AND c.recorded_to > $known_at]->(wrong:Memory WHERE wrong.valid_from >= wrong.valid_to)){0,20}
        ()-[r:SUPERSEDES WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at]->(older:Memory)
  WHERE older.status = 'ACTIVE' AND older.valid_from < older.valid_to
    AND ($trusted IS NULL OR older.source_kind IN $trusted OR older.confirmed_at IS NOT NULL)

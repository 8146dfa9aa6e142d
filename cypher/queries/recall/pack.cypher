// What a pack of a subject may hold: what is pinned or critical, what weighs most of the rest, and what a search found.
CALL () {
  CALL () {
    MATCH (m:Live)
    WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.pinned = true AND m.critical IS NOT NULL AND m.importance >= 0
      AND m.valid_from <= $now AND m.holds_to > $now AND ($trusted IS NULL OR m.source_kind IN $trusted OR m.confirmed_at IS NOT NULL)
    RETURN m
    ORDER BY m.importance DESC, m.id
    LIMIT $standing
  }
  RETURN m
  UNION
  CALL () {
    MATCH (m:Live)
    WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.pinned = false AND m.critical = true AND m.importance >= 0
      AND m.valid_from <= $now AND m.holds_to > $now AND ($trusted IS NULL OR m.source_kind IN $trusted OR m.confirmed_at IS NOT NULL)
    RETURN m
    ORDER BY m.importance DESC, m.id
    LIMIT $standing
  }
  RETURN m
  UNION
  CALL () {
    MATCH (m:Live)
    WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.pinned = false AND m.critical = false AND m.importance >= 0
      AND m.valid_from <= $now AND m.holds_to > $now AND ($trusted IS NULL OR m.source_kind IN $trusted OR m.confirmed_at IS NOT NULL)
    RETURN m
    // The order of the index, so that it is read off and not sorted.
    ORDER BY m.tenant DESC, m.subject_id DESC, m.pinned DESC, m.critical DESC, m.importance DESC
    LIMIT $weighty
  }
  RETURN m
  UNION
  UNWIND $found AS id
  MATCH (m:Memory {tenant: $tenant, id: id})
  WHERE m:Live AND m.subject_id = $subject AND m.valid_from <= $now AND m.holds_to > $now
  RETURN m
}
OPTIONAL MATCH (s:Subject {tenant: $tenant, id: $subject})
WITH m AS node, s
RETURN node {.*, embedding: null} AS state, coalesce(s.time_zone, 'UTC') AS time_zone,
// include: recall/parts/contested
  AS contested_by,
  CASE WHEN $vector IS NOT NULL THEN 2 * vector.similarity.cosine(node.embedding, $vector) - 1 END AS cosine
ORDER BY node.id

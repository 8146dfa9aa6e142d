// Each memory `m` behind a cursor, if any, in the state `s` that answers at a moment.
// What is said of created_at and id lets an index on the tenant answer; else the memories of all tenants are looked through.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.created_at IS NOT NULL AND m.id IS NOT NULL AND m.subject_id >= $lo AND m.subject_id <= $hi
  AND ($before IS NULL OR m.created_at < $before OR (m.created_at = $before AND m.id < $before_id))
  AND ($kinds IS NULL OR m.kind IN $kinds)
  AND ($summaries OR NOT m:Summary)
  AND ($tag IS NULL OR $tag IN m.tags)
CALL (m) {
  WITH m
  WHERE m.recorded_from <= $known_at AND ($include_past OR (m.valid_from <= $as_of AND m.holds_to > $as_of))
  RETURN m AS s
  UNION ALL
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  WHERE v.recorded_from <= $known_at AND v.recorded_to > $known_at
    AND ($include_past OR (v.valid_from <= $as_of AND v.holds_to > $as_of))
  RETURN v AS s
}

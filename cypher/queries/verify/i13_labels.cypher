// I13: states in the wrong one of the two search indexes, or whose key or rank does not fit their state.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.id >= ''
  WITH m, m:Live AS live, m:Summary AS summary
  WITH m, live, summary, CASE
    WHEN summary THEN m.community_id IS NOT NULL AND m.live_key IS NULL
    WHEN live THEN m.status = 'ACTIVE' AND m.holds_to > $lately AND m.holds_to > m.valid_from AND m.live_key IS NOT NULL
    ELSE (m.status <> 'ACTIVE' OR m.holds_to <= $soon OR m.holds_to <= m.valid_from) AND m.live_key IS NULL
  END AS fits
  WHERE (CASE WHEN summary THEN live OR m:Past ELSE live = m:Past END) OR NOT coalesce(fits AND m.state_rank = CASE
    WHEN m.archive_rule = 'EXPIRED' THEN 0 ELSE $ranks[m.status] END, false)
  RETURN m.id AS id
  UNION ALL
  MATCH (v:Revision)
  WHERE v.tenant = $tenant AND v.id >= ''
    AND (v:Live OR v:Past = v:Summary OR v.live_key IS NOT NULL OR NOT coalesce(v.state_rank = CASE
      WHEN v.archive_rule = 'EXPIRED' THEN 0 ELSE $ranks[v.status] END, false))
  RETURN v.id AS id
  UNION ALL
  MATCH (said:Message)
  WHERE said.tenant = $tenant AND said.id >= ''
    AND (said:Passage <> (said.redacted_at IS NULL AND said.quarantined_by IS NULL) OR said.redacted_at IS NOT NULL AND said.embedding IS NOT NULL)
  RETURN said.id AS id
}
RETURN count(id) AS violations, collect(id)[..20] AS examples

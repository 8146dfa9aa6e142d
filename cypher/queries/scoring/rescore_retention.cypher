// The retention policy over memories of a tenant, as of a moment: what changed is written. Terms: graph_memory/scoring/retention.py.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id > $after AND m.id <= $until
WITH m, m {.status, .subject_id, .kind, .base_importance, .importance, .retention, .tier_rank, .access_count,
           .feedback, .critical, .pinned, .created_at, .last_accessed_at, .created_day, .accessed_day, .valid_to,
           .expires_at} AS p
WHERE p.status = 'ACTIVE'
WITH m, p, coalesce(p.base_importance, 0.5) AS base, coalesce(p.access_count, 0) AS accesses,
     coalesce($activity[p.subject_id], 0) AS active,
     CASE WHEN p.created_at.epochMillis < $at_ms THEN ($at_ms - p.created_at.epochMillis) / 86400000.0 ELSE 0.0 END AS age,
     CASE WHEN p.last_accessed_at IS NULL THEN null
          WHEN p.last_accessed_at.epochMillis < $at_ms THEN ($at_ms - p.last_accessed_at.epochMillis) / 86400000.0
          ELSE 0.0 END AS unused,
     CASE WHEN p.expires_at IS NULL OR (p.critical AND $decay_critical_overrides_expiry) THEN 0.0
          WHEN p.expires_at.epochMillis < $at_ms THEN ($at_ms - p.expires_at.epochMillis) / 86400000.0
          ELSE 0.0 END AS late
WITH m, p, base, accesses, age, coalesce(unused, age) AS idle,
     CASE WHEN active > coalesce(p.created_day, 0) THEN active - coalesce(p.created_day, 0) ELSE 0 END AS active_age,
     CASE WHEN active > coalesce(p.accessed_day, p.created_day, 0)
          THEN active - coalesce(p.accessed_day, p.created_day, 0) ELSE 0 END AS active_idle,
     CASE WHEN late = 0.0 THEN 1.0
          WHEN late < $decay_expiry_grace_days THEN 1.0 - late / $decay_expiry_grace_days
          ELSE 0.0 END AS expiry,
     CASE WHEN p.valid_to.epochMillis <= $at_ms AND EXISTS { (m)<-[r:SUPERSEDES]-() WHERE r.open_key IS NOT NULL }
          THEN $retention_superseded_penalty ELSE 1.0 END AS superseded
WITH m, p, expiry, superseded,
     $retention_recency_weight
     * CASE WHEN p.critical THEN 1.0
            ELSE exp(-0.6931471805599453 / coalesce($retention_half_lives[p.kind], $retention_half_life_days)
                     * CASE WHEN $retention_by_activity THEN CASE WHEN active_idle < active_age THEN active_idle ELSE active_age END
                            WHEN idle < age THEN idle ELSE age END) END
     + $retention_activation_weight
     * CASE WHEN $retention_activation = 'boost'
            THEN CASE WHEN $retention_activation_boost * accesses < 1.0 THEN $retention_activation_boost * accesses ELSE 1.0 END
            WHEN accesses < $retention_saturation THEN log(1.0 + accesses) / log(1.0 + $retention_saturation)
            ELSE 1.0 END
     + $retention_worth_weight * CASE WHEN $retention_worths[p.kind] > base THEN $retention_worths[p.kind] ELSE base END AS kept
WITH m, p, expiry, superseded,
     (1.0 - $decay_feedback_weight) * kept + $decay_feedback_weight * (coalesce(p.feedback, 0.0) + 1.0) / 2.0 AS kept
WITH m, p, expiry, superseded,
     CASE WHEN p.critical AND kept < $decay_critical_floor THEN $decay_critical_floor
          WHEN kept > 1.0 THEN 1.0 WHEN kept < 0.0 THEN 0.0 ELSE kept END * superseded * expiry AS kept
WITH m, p,
     CASE WHEN p.pinned AND superseded = 1.0 AND expiry = 1.0 AND kept < $tiers_hot THEN $tiers_hot ELSE kept END AS kept
WITH m, p, kept AS importance, kept
WITH m, p, round(importance * $retention_scale) / $retention_scale AS importance,
     round(kept * $retention_scale) / $retention_scale AS retention
WITH m, p, importance, retention,
     CASE WHEN retention >= $tiers_hot THEN 0
          WHEN retention >= $tiers_warm THEN 1
          WHEN retention >= $tiers_archive_threshold THEN 2
          ELSE 3 END AS rank
WITH m, importance, retention, rank, p.tier_rank AS was,
     importance <> p.importance OR coalesce(retention <> p.retention, true) OR coalesce(rank <> p.tier_rank, true) AS is_changed
CALL (m, importance, retention, rank, was, is_changed) {
  WITH m, rank, was
  WHERE is_changed
  SET m.importance = importance, m.retention = retention
  WITH m, rank, was
  WHERE coalesce(rank <> was, true)
  // An index filter: each write of it inserts the vector anew.
  SET m.tier = ['HOT', 'WARM', 'COLD', 'ARCHIVED'][rank], m.tier_rank = rank
} IN $concurrency CONCURRENT TRANSACTIONS OF $batch ROWS
RETURN count(*) AS rescored, count(CASE WHEN is_changed THEN 1 END) AS changed,
       collect(CASE WHEN rank <> was THEN {id: m.id, was: was, rank: rank, score: retention} END) AS moves

// The earning policy over memories of a tenant, as of a moment: what changed is written. Terms: graph_memory/scoring/earning.py.
// What it reads is fetched at once, ahead of the writing: property by property is half as fast. All but what the policy
// says of the importance is the same in the three queries.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id > $after AND m.id <= $until AND NOT m:Summary
WITH m, m {.status, .subject_id, .kind, .base_importance, .importance, .retention, .tier_rank, .access_count,
           .feedback, .critical, .pinned, .created_at, .last_accessed_at, .created_day, .accessed_day, .valid_to,
           .expires_at, .happens_at} AS p
WHERE p.status = 'ACTIVE'
WITH m, p, coalesce(p.base_importance, 0.5) AS base, coalesce(p.access_count, 0) AS accesses,
     coalesce($activity[p.subject_id], 0) AS active, coalesce(p.accessed_day, p.created_day, 0) AS used,
     $decay_feedback_weight * (coalesce(p.feedback, 0.0) + 1.0) / 2.0 AS felt,
     ($at_ms - p.created_at.epochMillis) / 86400000.0 AS age,
     ($at_ms - coalesce(p.last_accessed_at, p.created_at).epochMillis) / 86400000.0 AS idle,
     CASE WHEN p.expires_at IS NULL OR (p.critical AND $decay_critical_overrides_expiry) THEN 0.0
          ELSE ($at_ms - p.expires_at.epochMillis) / 86400000.0 END AS late,
     CASE WHEN p.valid_to.epochMillis <= $at_ms AND EXISTS { (m)<-[r:SUPERSEDES]-() WHERE r.open_key IS NOT NULL }
          THEN $retention_superseded_penalty ELSE 1.0 END AS superseded
WITH m, p, base, accesses, felt, superseded,
     CASE WHEN age < 0.0 THEN 0.0 ELSE age END AS age,
     CASE WHEN idle < 0.0 THEN 0.0 ELSE idle END AS idle,
     CASE WHEN active > coalesce(p.created_day, 0) THEN active - coalesce(p.created_day, 0) ELSE 0 END AS active_age,
     CASE WHEN active > used THEN active - used ELSE 0 END AS active_idle,
     CASE WHEN late <= 0.0 THEN 1.0
          WHEN late < $decay_expiry_grace_days THEN 1.0 - late / $decay_expiry_grace_days
          ELSE 0.0 END AS expiry
WITH m, p, base, accesses, felt, age, idle, active_age, active_idle, expiry, superseded,
     (1.0 - $decay_feedback_weight)
     * ($retention_recency_weight
        * CASE WHEN p.critical THEN 1.0
               ELSE exp(-0.6931471805599453 / coalesce($retention_half_lives[p.kind], $retention_half_life_days)
                        * CASE WHEN $retention_by_activity THEN CASE WHEN active_idle < active_age THEN active_idle ELSE active_age END
                               WHEN idle < age THEN idle ELSE age END) END
        + $retention_activation_weight
        * CASE WHEN accesses = 0 THEN 0.0
               WHEN $retention_activation = 'boost'
               THEN CASE WHEN $retention_activation_boost * accesses < 1.0 THEN $retention_activation_boost * accesses ELSE 1.0 END
               WHEN accesses < $retention_saturation THEN log(1.0 + accesses) / log(1.0 + $retention_saturation)
               ELSE 1.0 END
        + $retention_worth_weight * CASE WHEN $retention_worths[p.kind] > base THEN $retention_worths[p.kind] ELSE base END)
     + felt AS kept
WITH m, p, base, accesses, felt, age, idle, active_age, active_idle, expiry, superseded,
     CASE WHEN p.critical AND kept < $decay_critical_floor THEN $decay_critical_floor
          WHEN kept > 1.0 THEN 1.0 WHEN kept < 0.0 THEN 0.0 ELSE kept END * superseded * expiry AS kept
WITH m, p, base, accesses, felt, age, idle, active_age, active_idle, expiry, superseded,
     CASE WHEN p.pinned AND superseded = 1.0 AND expiry = 1.0 AND kept < $tiers_hot THEN $tiers_hot ELSE kept END AS kept
// What earning says of the importance.
WITH m, p, base, accesses, felt, expiry, kept, coalesce($links[m.id], 0) AS links,
     CASE WHEN $earning_by_activity THEN active_age ELSE age END AS old,
     CASE WHEN $earning_by_activity THEN active_idle ELSE idle END AS resting,
     CASE WHEN base < 0.001 THEN 0.001 WHEN base > 0.999 THEN 0.999 ELSE base END AS sure,
     CASE WHEN p.happens_at IS NULL THEN null ELSE (p.happens_at.epochMillis - $at_ms) / 86400000.0 END AS ahead
WITH m, p, accesses, felt, expiry, kept, links, old, resting, ahead,
     $earning_newness + log(sure / (1.0 - sure)) - $earning_newness_rate * old AS newness
WITH m, p, felt, expiry, kept,
     (CASE WHEN accesses = 0 THEN 0.0
           ELSE $earning_value_weight
                * log(1.0 + accesses * $earning_rate ^ resting / CASE WHEN old > $earning_min_age THEN old ELSE $earning_min_age END
                      / $earning_baseline) END
      + CASE WHEN links <= $earning_hub_links THEN $earning_hub_link * links
             ELSE $earning_hub_link * $earning_hub_links + (links - $earning_hub_links) * $earning_hub_slope
                  / (1.0 + (links - $earning_hub_links) * $earning_hub_curve) END
      + CASE WHEN $earning_newness > 0.0 AND newness > 0.0 THEN newness ELSE 0.0 END)
     / (1.0 + $earning_recency_rate * resting)
     * CASE WHEN ahead IS NULL OR ahead > 14.0 THEN 1.0
            WHEN ahead > 7.0 THEN $earning_fortnight_factor
            WHEN ahead > 1.0 THEN $earning_week_factor
            WHEN ahead > 0.0 THEN $earning_day_factor
            WHEN -ahead < $earning_past_days
            THEN $earning_past_start - ($earning_past_end - $earning_past_start) * ahead / $earning_past_days
            ELSE $earning_past_end END
     * expiry AS total
WITH m, p, expiry, kept, (1.0 - $decay_feedback_weight) / (1.0 + exp($earning_centre - total)) + felt AS earned
WITH m, p, kept,
     CASE WHEN expiry = 0.0 THEN 0.0
          WHEN p.critical AND earned < $decay_critical_floor THEN $decay_critical_floor
          ELSE earned END AS importance
WITH m, p, kept, round(importance * $earning_scale) / $earning_scale AS importance
// What is written: each value only where it is another one. Setting two costs twice as much as setting one.
WITH m, p, importance, round(kept * $retention_scale) / $retention_scale AS retention
WITH m, p.importance AS important, p.retention AS retained, p.tier_rank AS was, importance, retention,
     CASE WHEN retention >= $tiers_hot THEN 0
          WHEN retention >= $tiers_warm THEN 1
          WHEN retention >= $tiers_archive_threshold THEN 2
          ELSE 3 END AS rank
WHERE important <> importance OR coalesce(retained <> retention, true) OR coalesce(was <> rank, true)
CALL (m, important, importance, retention, rank, was) {
  SET m.retention = retention
  WITH m, important, importance, rank, was
  WHERE coalesce(important <> importance, true) OR coalesce(was <> rank, true)
  SET m.importance = importance
  WITH m, rank, was
  WHERE coalesce(was <> rank, true)
  // An index filter: each write of it inserts the vector anew.
  SET m.tier = ['HOT', 'WARM', 'COLD', 'ARCHIVED'][rank], m.tier_rank = rank
} IN $concurrency CONCURRENT TRANSACTIONS OF $batch ROWS
RETURN count(*) AS changed,
       collect(CASE WHEN rank <> was THEN {id: m.id, was: was, rank: rank, score: retention} END) AS moves

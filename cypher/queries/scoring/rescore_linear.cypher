// The linear policy over all live memories of a tenant, as of a moment, in batches. Terms: graph_memory/scoring/linear.py.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.valid_to IS NOT NULL AND (m.rescored_at IS NULL OR m.rescored_at < $at)
CALL (m) {
  WITH m,
       CASE WHEN $at_ms > m.created_at.epochMillis THEN ($at_ms - m.created_at.epochMillis) / 86400000.0 ELSE 0.0 END AS age,
       coalesce(m.last_accessed_at, m.created_at).epochMillis AS seen_ms
  WITH m, age,
       CASE WHEN $at_ms > seen_ms THEN ($at_ms - seen_ms) / 86400000.0 ELSE 0.0 END AS idle,
       coalesce(m.access_count, 0) AS accesses
  WITH m, idle,
       (1.0 - $feedback_weight) * (
         $base_weight * coalesce(m.base_importance, 0.5)
         + $access_weight * CASE WHEN accesses < $max_access THEN toFloat(accesses) / $max_access ELSE 1.0 END
         + $recency_weight * exp(-age / $recency_tau_days)
         + $confidence_weight * coalesce(m.confidence, 1.0)
       ) + $feedback_weight * (coalesce(m.feedback, 0.0) + 1.0) / 2.0 AS fresh
  WITH m,
       CASE WHEN coalesce(m.critical, false)
            THEN CASE WHEN fresh < $critical_floor THEN $critical_floor ELSE fresh END
            ELSE fresh * $rate ^ idle END AS score
  SET m.importance = CASE WHEN score < 0.0 THEN 0.0 WHEN score > 1.0 THEN 1.0 ELSE score END,
      m.rescored_at = $at
} IN TRANSACTIONS OF $batch ROWS
RETURN count(*) AS rescored

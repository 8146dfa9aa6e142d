// The linear policy over all live memories of a tenant, as of a moment, in batches. Terms: graph_memory/scoring/linear.py.
// What it reads is fetched at once, ahead of the writing: property by property inside the batch is half as fast.
MATCH (m:Live)
WHERE m.tenant = $tenant AND m.valid_to IS NOT NULL
WITH m, m {.base_importance, .access_count, .confidence, .created_at, .last_accessed_at, .critical} AS p
WITH m, p,
     ($at_ms - coalesce(p.last_accessed_at, p.created_at).epochMillis) / 86400000.0 AS idle,
     $base_weight * coalesce(p.base_importance, 0.5)
     + $access_weight * CASE WHEN p.access_count < $max_access THEN toFloat(p.access_count) / $max_access
                             WHEN p.access_count IS NULL THEN 0.0
                             ELSE 1.0 END
     + $recency_weight * CASE WHEN p.created_at.epochMillis < $at_ms
                              THEN exp((p.created_at.epochMillis - $at_ms) / 86400000.0 / $recency_tau_days)
                              ELSE 1.0 END
     + $confidence_weight * coalesce(p.confidence, 1.0) AS known
WITH m,
     CASE WHEN $feedback_weight = 0.0 THEN known
          ELSE (1.0 - $feedback_weight) * known + $feedback_weight * (coalesce(m.feedback, 0.0) + 1.0) / 2.0 END
     * CASE WHEN p.critical THEN 1.0 WHEN idle > 0.0 THEN $rate ^ idle ELSE 1.0 END AS score,
     CASE WHEN p.critical THEN $critical_floor ELSE 0.0 END AS floor
CALL (m, score, floor) {
  SET m.importance = CASE WHEN score < floor THEN floor WHEN score > 1.0 THEN 1.0 ELSE score END
} IN $concurrency CONCURRENT TRANSACTIONS OF $batch ROWS
RETURN count(*) AS rescored

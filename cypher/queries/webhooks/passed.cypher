// Notes that a webhook has dealt with the changes up to a sequence number; no row when there is no such webhook.
MATCH (w:Webhook {tenant: $tenant, id: $id})
SET w.after = $sequence
FOREACH (_ IN CASE WHEN $was_sent THEN [1] ELSE [] END |
  SET w.last_sent_at = $now, w.failures = 0, w.failing_since = null, w.last_error = null, w.next_try_at = null
)
RETURN w.after AS after

// Notes that the receiver of a webhook has not taken a change: why, since when, and when it is tried again if at all.
MATCH (w:Webhook {tenant: $tenant, id: $id})
SET w.status = $status, w.failures = $failures, w.failing_since = $since, w.last_error = $error, w.next_try_at = $next_try_at
RETURN w.id AS id

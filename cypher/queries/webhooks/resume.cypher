// Makes a webhook active; it goes on where it stopped, at once.
MATCH (w:Webhook {tenant: $tenant, id: $id})
SET w.status = $status, w.failures = 0, w.failing_since = null, w.next_try_at = null
RETURN w.id AS id

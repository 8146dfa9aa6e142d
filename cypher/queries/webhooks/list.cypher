// The webhooks of an account, the oldest first, or that of an id: without their secret, with how many changes they are behind.
MATCH (t:Tenant {id: $tenant})
MATCH (w:Webhook)
WHERE w.tenant = $tenant AND w.id >= '' AND ($id IS NULL OR w.id = $id)
RETURN w {.*, secret: null, lag: t.sequence - w.after} AS hook
ORDER BY w.created_at, w.id

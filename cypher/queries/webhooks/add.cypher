// Stores a new webhook, unless the account has as many as it may; it begins after a change, or after the last one.
MATCH (t:Tenant {id: $tenant})
OPTIONAL MATCH (other:Webhook)
WHERE other.tenant = $tenant AND other.id >= ''
WITH t, count(other) AS others
WHERE others < $most
CREATE (w:Webhook {tenant: $tenant})
SET w += $hook, w.after = coalesce($after, t.sequence), w.failures = 0
RETURN w.id AS id

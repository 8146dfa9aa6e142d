// The active webhooks of an account that are behind its ledger and whose time has come, with their secret.
MATCH (t:Tenant {id: $tenant})
MATCH (w:Webhook)
WHERE w.tenant = $tenant AND w.id >= '' AND w.status = $status AND w.after < t.sequence
  AND coalesce(w.next_try_at, $now) <= $now
RETURN w {.*} AS hook
ORDER BY w.id

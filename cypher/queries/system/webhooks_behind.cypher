// The tenants of which a webhook is behind the ledger and due, and of which no run that sends is under way.
MATCH (w:Webhook)
WHERE w.status = $status AND coalesce(w.next_try_at, $now) <= $now
MATCH (t:Tenant {id: w.tenant})
WHERE t.sequence > w.after
WITH DISTINCT t
WHERE NOT EXISTS {
  MATCH (r:Run)
  WHERE r.status IN ['PENDING', 'RUNNING'] AND r.tenant = t.id AND r.job = $job
}
RETURN t.name AS name
ORDER BY name

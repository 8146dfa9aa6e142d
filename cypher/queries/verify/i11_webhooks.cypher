// I11: webhooks that are ahead of the ledger, in no known state, or failing without telling why.
MATCH (w:Webhook)
WHERE w.tenant = $tenant AND w.id >= ''
OPTIONAL MATCH (t:Tenant {id: $tenant})
WITH w, t
WHERE t IS NULL OR w.after < 0 OR w.after > t.sequence OR NOT w.status IN $webhook_statuses
   OR (w.status <> $active AND (w.last_error IS NULL OR w.failing_since IS NULL))
RETURN count(w) AS violations, collect(w.id)[..20] AS examples

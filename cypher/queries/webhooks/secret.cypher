// With what the requests of a webhook are signed.
MATCH (w:Webhook {tenant: $tenant, id: $id})
RETURN w.secret AS secret

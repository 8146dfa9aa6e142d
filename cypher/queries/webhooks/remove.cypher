// Removes a webhook.
MATCH (w:Webhook {tenant: $tenant, id: $id})
WITH w, w.id AS id
DETACH DELETE w
RETURN id

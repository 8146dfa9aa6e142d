// Webhooks, found by their account and, over all accounts, by their status.
CREATE CONSTRAINT webhook_id IF NOT EXISTS FOR (n:Webhook) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX webhook_status IF NOT EXISTS FOR (n:Webhook) ON (n.status);

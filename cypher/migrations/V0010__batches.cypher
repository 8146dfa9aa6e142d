// Batches, found by their status and age or by their provider's id, and their items. A question stands in one batch only.
CREATE CONSTRAINT batch_id IF NOT EXISTS FOR (n:Batch) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE CONSTRAINT batch_item_id IF NOT EXISTS FOR (n:BatchItem) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX batch_queue IF NOT EXISTS FOR (n:Batch) ON (n.tenant, n.status, n.created_at);
CREATE INDEX batch_subject IF NOT EXISTS FOR (n:Batch) ON (n.tenant, n.subject_id);
CREATE INDEX batch_provider IF NOT EXISTS FOR (n:Batch) ON (n.provider_id);
CREATE INDEX batch_item_place IF NOT EXISTS FOR (n:BatchItem) ON (n.tenant, n.batch_id, n.state);
CREATE INDEX batch_item_subject IF NOT EXISTS FOR (n:BatchItem) ON (n.tenant, n.subject_id, n.state);

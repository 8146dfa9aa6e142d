// Decisions that wait for a person: found by their status and age, and by their subject when it is erased.
CREATE CONSTRAINT review_id IF NOT EXISTS FOR (n:Review) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX review_queue IF NOT EXISTS FOR (n:Review) ON (n.tenant, n.status, n.created_at);
CREATE INDEX review_subject IF NOT EXISTS FOR (n:Review) ON (n.tenant, n.subject_id);

// The summaries of a subject, which stand in neither search index, and communities by when they last changed.
CREATE INDEX summary_subject IF NOT EXISTS FOR (n:Summary) ON (n.tenant, n.subject_id);
CREATE INDEX summary_community IF NOT EXISTS FOR (n:Summary) ON (n.tenant, n.community_id);
CREATE INDEX community_changed IF NOT EXISTS FOR (n:Community) ON (n.tenant, n.updated_at, n.id);

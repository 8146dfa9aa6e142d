// Two disjoint pairs of search indexes, live and past, each filtered inside by both walls and by time.
CREATE VECTOR INDEX memory_live IF NOT EXISTS FOR (n:Live) ON n.embedding
WITH [n.tenant, n.subject_id, n.tier_rank, n.recorded_from, n.valid_from, n.valid_to]
OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}};
CREATE VECTOR INDEX memory_past IF NOT EXISTS FOR (n:Past) ON n.embedding
WITH [n.tenant, n.subject_id, n.tier_rank, n.state_rank, n.recorded_from, n.recorded_to, n.valid_from, n.valid_to]
OPTIONS {indexConfig: {`vector.dimensions`: 384, `vector.similarity_function`: 'cosine'}};
CREATE FULLTEXT INDEX memory_live_text IF NOT EXISTS FOR (n:Live) ON EACH [n.search_text, n.tenant, n.subject_id]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
CREATE FULLTEXT INDEX memory_past_text IF NOT EXISTS FOR (n:Past) ON EACH [n.search_text, n.tenant, n.subject_id]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
CREATE INDEX memory_chain IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.chain_id);
CREATE INDEX memory_created IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.created_at, n.id);
CREATE INDEX memory_live_session IF NOT EXISTS FOR (n:Live) ON (n.tenant, n.session_id, n.valid_from);
CREATE INDEX memory_live_end IF NOT EXISTS FOR (n:Live) ON (n.tenant, n.valid_to);
CREATE INDEX change_request IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.request_id);
CREATE INDEX change_at IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.at);
CREATE INDEX run_status IF NOT EXISTS FOR (n:Run) ON (n.status);
CREATE INDEX segment_status IF NOT EXISTS FOR (n:Segment) ON (n.tenant, n.subject_id, n.status);
CREATE INDEX message_at IF NOT EXISTS FOR (n:Message) ON (n.tenant, n.segment_id, n.position);
CREATE INDEX message_ref IF NOT EXISTS FOR (n:Message) ON (n.tenant, n.ref);
CREATE INDEX api_key_prefix IF NOT EXISTS FOR (n:ApiKey) ON (n.prefix);
CREATE INDEX change_run IF NOT EXISTS FOR (n:Change) ON (n.tenant, n.run_id);
CREATE INDEX revision_memory IF NOT EXISTS FOR (n:Revision) ON (n.tenant, n.memory_id);
CREATE INDEX revision_chain IF NOT EXISTS FOR (n:Revision) ON (n.tenant, n.chain_id);
CREATE INDEX memory_source IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.source_ref);

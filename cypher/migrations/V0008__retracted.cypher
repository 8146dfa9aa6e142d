// What was retracted is found by its words, so that it is not extracted again.
CREATE INDEX memory_past_words IF NOT EXISTS FOR (n:Past) ON (n.tenant, n.subject_id, n.content_hash);

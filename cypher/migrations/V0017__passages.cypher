// What was said can be found: every message that holds its text is a passage, and waits for its vector. Their vector index is
// made by graph_memory/store/vector_indexes.py, for vectors of the size that the store has.
CREATE FULLTEXT INDEX passage_text IF NOT EXISTS FOR (n:Passage) ON EACH [n.text, n.picture, n.speaker, n.tenant, n.subject_id]
OPTIONS {indexConfig: {`fulltext.analyzer`: 'english', `fulltext.eventually_consistent`: true}};
CREATE INDEX message_unembedded IF NOT EXISTS FOR (n:Message) ON (n.tenant, n.unembedded);
MATCH (m:Message)
WHERE m.embedding_model IS NULL
  AND m.redacted_at IS NULL AND m.quarantined_by IS NULL
CALL (m) {
  SET m:Passage, m.unembedded = true, m.embedding_model = 'PENDING', m.source_kind = coalesce(m.source_kind, 'import')
} IN TRANSACTIONS OF 1000 ROWS;

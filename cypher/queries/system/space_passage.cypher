// Makes the index of the vectors of passages.
CREATE VECTOR INDEX passage IF NOT EXISTS FOR (n:Passage) ON n.embedding
WITH [n.tenant, n.subject_id, n.at, n.created_at]
OPTIONS $options

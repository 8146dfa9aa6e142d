// Makes the index of the vectors of passages of the next model.
CREATE VECTOR INDEX passage_next IF NOT EXISTS FOR (n:Passage) ON n.embedding_next
WITH [n.tenant, n.subject_id, n.at, n.created_at]
OPTIONS $options

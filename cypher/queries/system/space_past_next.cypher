// Makes the index of the vectors of past states of the next model.
CREATE VECTOR INDEX memory_past_next IF NOT EXISTS FOR (n:Past) ON n.embedding_next
WITH [n.tenant, n.subject_id, n.tier_rank, n.state_rank, n.recorded_from, n.recorded_to, n.valid_from, n.holds_to]
OPTIONS $options

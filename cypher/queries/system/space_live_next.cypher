// Makes the index of the vectors of live memories of the next model.
CREATE VECTOR INDEX memory_live_next IF NOT EXISTS FOR (n:Live) ON n.embedding_next
WITH [n.tenant, n.subject_id, n.tier_rank, n.recorded_from, n.valid_from, n.holds_to]
OPTIONS $options

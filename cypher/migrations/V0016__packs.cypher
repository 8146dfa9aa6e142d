// What a pack is chosen from: what is pinned, what is critical, and what weighs most of the rest, each read off in order.
CREATE INDEX memory_live_weight IF NOT EXISTS FOR (n:Live) ON (n.tenant, n.subject_id, n.pinned, n.critical, n.importance);

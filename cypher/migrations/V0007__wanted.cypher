// Archived memories that somebody used: found by the job that brings them back, without looking at the rest.
CREATE INDEX memory_wanted IF NOT EXISTS FOR (n:Memory) ON (n.tenant, n.wanted_at);

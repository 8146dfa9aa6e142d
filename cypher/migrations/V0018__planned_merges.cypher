// What rehearsed consolidations would merge: found by their run, and by their subject when a member is erased.
CREATE CONSTRAINT plannedmerge_id IF NOT EXISTS FOR (n:PlannedMerge) REQUIRE (n.tenant, n.id) IS UNIQUE;
CREATE INDEX plannedmerge_run IF NOT EXISTS FOR (n:PlannedMerge) ON (n.tenant, n.run_id, n.position);
CREATE INDEX plannedmerge_subject IF NOT EXISTS FOR (n:PlannedMerge) ON (n.tenant, n.subject_id);

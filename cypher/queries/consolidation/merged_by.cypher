// How many groups of how many memories a run has merged already.
MATCH (c:Change {tenant: $tenant, run_id: $run_id})
WHERE c.classification = 'CONSOLIDATE' AND c.subject_id >= $lo AND c.subject_id <= $hi
RETURN count(c) AS groups, coalesce(sum(size(c.sources)), 0) AS merged

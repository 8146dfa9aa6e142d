// Removes what the last weighing did not find again, in batches.
MATCH (m:Memory)-[r:SHARES_ENTITY]->(:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi AND r.weighed_at < $at
CALL (r) {
  DELETE r
} IN TRANSACTIONS OF $batch ROWS
RETURN count(*) AS removed

// Removes everything that one tenant of a benchmark has.
MATCH (n:Memory|Revision|Entity|Segment|Message|Subject|Request|Change|Run|Lease|Community|Review|Batch|BatchItem|Tombstone|ApiKey|Webhook|Spend)
WHERE n.tenant = $tenant
CALL (n) {
  DETACH DELETE n
} IN TRANSACTIONS OF 1000 ROWS

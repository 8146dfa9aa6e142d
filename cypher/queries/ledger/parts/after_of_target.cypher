// Each change `c` of one memory after a sequence number; of some kinds, when any is named.
MATCH (:Memory {tenant: $tenant, id: $target})<-[:CHANGED]-(c:Change)
WHERE c.sequence > $after AND c.subject_id >= $lo AND c.subject_id <= $hi AND $target IN c.targets
  AND (size($operations) = 0 OR c.operation IN $operations)

// Each change `c` of some kinds after a sequence number.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.operation IN $operations AND c.sequence > $after
  AND c.subject_id >= $lo AND c.subject_id <= $hi

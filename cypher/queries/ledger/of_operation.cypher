// The changes of some kinds after a sequence number, oldest first.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.operation IN $operations AND c.sequence > $after
  AND c.subject_id >= $lo AND c.subject_id <= $hi
RETURN c {.*} AS change
ORDER BY c.sequence
LIMIT $first

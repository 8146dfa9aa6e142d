// The last changes of a scope, newest first; of some kinds or of one memory, when these are named.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.sequence > 0 AND c.subject_id >= $lo AND c.subject_id <= $hi
  AND (size($operations) = 0 OR c.operation IN $operations) AND ($target IS NULL OR $target IN c.targets)
RETURN c {.*} AS change
ORDER BY c.tenant DESC, c.sequence DESC
LIMIT $first

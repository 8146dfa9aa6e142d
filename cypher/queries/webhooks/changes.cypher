// The changes after a sequence number, oldest first; only their number where they are of another subject or operation.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.sequence > $after
WITH c
ORDER BY c.sequence
LIMIT $first
OPTIONAL MATCH (s:Subject {tenant: $tenant, id: c.subject_id})
RETURN c.sequence AS sequence, c.at AS at, s.name AS subject_name,
       CASE WHEN coalesce(c.subject_id = $whose, true) AND (size($operations) = 0 OR c.operation IN $operations)
            THEN c {.*} END AS change
ORDER BY sequence

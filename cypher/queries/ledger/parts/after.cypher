// Each change `c` of a scope after a sequence number.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.sequence > $after AND c.subject_id >= $lo AND c.subject_id <= $hi

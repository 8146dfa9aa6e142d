// A change by its id.
MATCH (c:Change {tenant: $tenant, id: $id})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi
RETURN c {.*} AS change

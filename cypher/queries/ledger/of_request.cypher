// The sequence numbers of the changes that a request carried, in order.
MATCH (c:Change {tenant: $tenant, request_id: $request_id})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi
RETURN c.sequence AS sequence
ORDER BY sequence

// Empties every copy of a text in the ledger of the subject: its changes, and the answers of their requests.
MATCH (c:Change)
WHERE c.tenant = $tenant AND c.subject_id = $subject
SET c.before = null, c.after = null, c.effects = null, c.salt = null, c.reason = '', c.session_id = null,
    c.emptied_at = coalesce(c.emptied_at, $now)
WITH collect(DISTINCT c.request_id) AS requests, count(c) AS changes
CALL (requests) {
  UNWIND requests AS request
  MATCH (q:Request {tenant: $tenant, id: request})
  // The answer of an erasure holds numbers alone.
  WHERE q.operation <> 'forget'
  SET q.answer = null, q.erased_at = coalesce(q.erased_at, $now)
  RETURN count(q) AS emptied
}
RETURN changes, emptied AS requests

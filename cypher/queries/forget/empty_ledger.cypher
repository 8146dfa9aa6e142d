// Empties every copy of the texts in the ledger, and the answers of their requests.
// Those are changes of the memories and of what they mention, and later ones of what took words or tags from them.
CALL () {
  UNWIND $ids AS id
  MATCH (m:Memory {tenant: $tenant, id: id})
  CALL (m) {
    MATCH (m)<-[:CHANGED]-(c:Change)
    RETURN c
    UNION
    MATCH (m)-[:MENTIONS]->(:Entity)<-[:CHANGED]-(c:Change)
    RETURN c
  }
  RETURN c
  UNION
  UNWIND $took AS row
  MATCH (:Memory {tenant: $tenant, id: row.id})<-[:CHANGED]-(c:Change)
  WHERE c.at >= row.at
  RETURN c
}
WITH DISTINCT c
SET c.before = null, c.after = null, c.effects = null, c.salt = null, c.reason = '', c.session_id = null, c.emptied_at = $now
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

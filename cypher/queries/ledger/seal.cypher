// Takes the tenant's sequence and recorded time, settles what is pending, and writes the changes and the answer.
// The tenant is locked from here to the commit: this statement is the last one and the only one that all subjects share.
MATCH (s:Subject {tenant: $tenant, id: $subject})
SET s.chain = $chain
WITH s
MATCH (t:Tenant {id: $tenant})
SET t.sequence = t.sequence + size($changes)
WITH t, CASE WHEN t.recorded_at >= $now THEN t.recorded_at + duration({milliseconds: 1}) ELSE $now END AS at
SET t.recorded_at = at
WITH at, t.sequence - size($changes) AS base
CALL () {
  OPTIONAL MATCH (c:Change)
  WHERE c.tenant = $tenant AND c.subject_id = $subject AND c.place > 0
  WITH c
  ORDER BY c.tenant DESC, c.subject_id DESC, c.place DESC
  LIMIT 1
  RETURN coalesce(c.place, 0) AS own
}
CALL (at) {
  UNWIND $touched AS id
  MATCH (m:Memory {tenant: $tenant, id: id})
  SET m.recorded_from = CASE WHEN m.recorded_from = $pending THEN at ELSE m.recorded_from END,
      m.updated_at = at
  WITH m, at
  MATCH (m)-[r:MENTIONS|STATES|SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]-()
  WHERE r.recorded_from = $pending OR r.recorded_to = $pending
  SET r.recorded_from = CASE WHEN r.recorded_from = $pending THEN at ELSE r.recorded_from END,
      r.recorded_to = CASE WHEN r.recorded_to = $pending THEN at ELSE r.recorded_to END
}
CALL (at) {
  UNWIND $touched AS id
  MATCH (:Memory {tenant: $tenant, id: id})-[:REVISED_FROM]->(v:Revision {recorded_to: $pending})
  SET v.recorded_to = at
}
MATCH (q:Request {tenant: $tenant, id: $request_id})
SET q.answer = $answer, q.answered_at = at
WITH at, base, own
CALL (at, base, own) {
  UNWIND range(0, size($changes) - 1) AS i
  CREATE (c:Change {tenant: $tenant, subject_id: $subject, sequence: base + i + 1, place: own + i + 1, at: at})
  SET c += $changes[i]
  WITH c
  CALL (c) {
    WITH c
    WHERE c.classification STARTS WITH 'ENTITY'
    UNWIND c.targets + c.sources AS id
    MATCH (e:Entity {tenant: $tenant, id: id})
    CREATE (c)-[:CHANGED]->(e)
  }
  UNWIND c.targets + c.sources AS id
  MATCH (m:Memory {tenant: $tenant, id: id})
  CREATE (c)-[:CHANGED]->(m)
}
RETURN base

// Removes the memories with their former states and relations, and the attributes and entities that nothing else names.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
CALL (m) {
  MATCH (m)-[r:MENTIONS]->(e:Entity)
  WHERE r.recorded_to = $forever
  SET e.link_count = e.link_count - 1
}
CALL (m) {
  MATCH (m)-[r:MEMBER_OF]->(c:Community)
  // The name of one that has ended is made anew by nobody.
  WHERE r.recorded_to = $forever OR c.ended_at IS NOT NULL
  SET c.caption = 'community', c.label = 'community', c.about = [], c.central_id = null,
      c.size = CASE WHEN r.recorded_to = $forever THEN c.size - 1 ELSE c.size END
}
CALL (m) {
  MATCH (:Entity)-[r:RELATES_TO {tenant: $tenant, memory_id: m.id}]->(:Entity)
  DELETE r
}
CALL (m) {
  MATCH (m)-[:MENTIONS]->(e:Entity)
  RETURN collect(DISTINCT e) AS mentioned
}
CALL (m) {
  MATCH (m)-[:STATES]->(:Attribute)-[:OF]->(e:Entity)
  RETURN collect(DISTINCT e) AS described
}
CALL (m) {
  MATCH (m)-[:REVISED_FROM]->(v:Revision)
  WITH collect(v) AS former
  FOREACH (v IN former | DETACH DELETE v)
  RETURN size(former) AS revisions
}
DETACH DELETE m
WITH collect(mentioned + described) AS lists, sum(revisions) AS revisions
// The name of an attribute is made of words; where what is left took it over from what is removed, it goes as well.
CALL (lists) {
  UNWIND lists AS concerned
  UNWIND concerned AS e
  WITH DISTINCT e
  MATCH (e)<-[:OF]-(a:Attribute)
  WHERE NOT EXISTS { (a)<-[r:STATES]-() WHERE r.inherited IS NULL }
  DETACH DELETE a
  RETURN count(*) AS attributes
}
CALL (lists) {
  UNWIND lists AS concerned
  UNWIND concerned AS e
  WITH DISTINCT e
  WHERE NOT EXISTS { (e)<-[:MENTIONS|OF]-() }
  WITH collect(e) AS gone
  CALL (gone) {
    UNWIND gone AS e
    MATCH (t:Entity {tenant: $tenant, id: e.alias_of})
    SET t.aliases = [i IN range(0, size(t.aliases) - 1) WHERE t.alias_keys[i] <> e.key | t.aliases[i]],
        t.alias_keys = [key IN t.alias_keys WHERE key <> e.key]
  }
  FOREACH (e IN gone | DETACH DELETE e)
  RETURN size(gone) AS entities
}
RETURN revisions, entities

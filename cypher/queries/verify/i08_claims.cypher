// I8: memories with several claims at a time or with one that is open and closed at once, and attributes without their entity.
CALL () {
  MATCH (m:Memory)-[r:STATES]->(a:Attribute)
  WHERE m.tenant = $tenant AND m.id >= ''
  WITH m, collect(r) AS claims
  WHERE size([r IN claims WHERE r.recorded_to = $forever]) > 1
     OR any(r IN claims WHERE r.id IS NULL OR (coalesce(r.open_key, '') = m.id) <> (r.recorded_to = $forever))
  RETURN m.id AS id
  UNION ALL
  MATCH (a:Attribute)
  WHERE a.tenant = $tenant AND a.id >= ''
    AND [(a)-[:OF]->(e:Entity) WHERE e.subject_id = a.subject_id | e.id] <> [a.entity_id]
  RETURN a.id AS id
}
RETURN count(id) AS violations, collect(id)[..20] AS examples

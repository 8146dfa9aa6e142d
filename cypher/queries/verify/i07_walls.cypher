// I7: relationships that leave the tenant, or join two subjects by nothing that was made for the whole tenant.
CALL () {
  MATCH (n:Memory)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n
  UNION ALL
  MATCH (n:Revision)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n
  UNION ALL
  MATCH (n:Entity)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n
  UNION ALL
  MATCH (n:Attribute)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n
  UNION ALL
  MATCH (n:Community)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n
  UNION ALL
  MATCH (n:Message)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n
  UNION ALL
  MATCH (n:Segment)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n
  UNION ALL
  MATCH (n:Change)
  WHERE n.tenant = $tenant AND n.id >= ''
  RETURN n
}
MATCH (n)-[r]->(other)
WHERE coalesce(other.tenant, '') <> $tenant OR coalesce(r.tenant, $tenant) <> $tenant
   OR (n.subject_id <> other.subject_id AND n.subject_id <> $everybody AND other.subject_id <> $everybody)
WITH n.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

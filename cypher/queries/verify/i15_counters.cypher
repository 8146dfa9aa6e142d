// I15: entities and communities that count other than what is joined to them.
CALL () {
  MATCH (e:Entity)
  WHERE e.tenant = $tenant AND e.id >= ''
    AND coalesce(e.link_count, 0) <> COUNT { (e)<-[r:MENTIONS]-(:Memory) WHERE r.recorded_to = $forever }
  RETURN e.id AS id
  UNION ALL
  MATCH (c:Community)
  WHERE c.tenant = $tenant AND c.id >= ''
    AND c.size <> COUNT { (c)<-[r:MEMBER_OF]-(:Memory) WHERE r.recorded_to = $forever }
  RETURN c.id AS id
}
RETURN count(id) AS violations, collect(id)[..20] AS examples

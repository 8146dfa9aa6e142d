// I7: memories, entities and attributes that something of another tenant points to.
CALL () {
  MATCH (n:Memory)
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
}
MATCH (n)<-[]-(other)
WHERE coalesce(other.tenant, '') <> $tenant
WITH n.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

// How many open semantic links lead to each memory that has any; CONFLICTS counts at both of its ends.
// Read from the links and not from each memory: most have none.
CALL () {
  MATCH ()-[r:CAUSES]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:CONFLICTS]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:INSTANCE_OF]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:INVALIDATED_BY]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:MOTIVATED_BY]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:RELATED]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:SUPPORTS]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:REFERENCES]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:EXPANDS]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:SIMILAR]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:FOLLOWS]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH ()-[r:ENABLES]->(m:Memory)
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
  UNION ALL
  MATCH (m:Memory)-[r:CONFLICTS]->()
  WHERE r.tenant = $tenant AND r.open_key IS NOT NULL
  RETURN m
}
WITH m, count(*) AS links
WHERE m.tenant = $tenant
RETURN m.id AS id, links

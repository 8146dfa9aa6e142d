// The last decisions: what was done, by whom, why, and to which memory
// :param tenant => ''
MATCH (c:Change)-[:CHANGED]->(m:Memory)
WHERE $tenant = '' OR EXISTS { MATCH (t:Tenant {name: $tenant}) WHERE t.id = c.tenant }
RETURN c.at AS at, c.operation AS did, c.actor AS who, c.reason AS why, m.caption AS memory, m.id AS id
ORDER BY c.at DESC, c.sequence DESC
LIMIT 50

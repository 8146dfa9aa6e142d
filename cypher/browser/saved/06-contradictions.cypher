// What contradicts what, and what both are about
// :param tenant => ''
MATCH pair = (a:Memory)-[r:CONFLICTS]->(b:Memory)
WHERE r.open_key IS NOT NULL
  AND ($tenant = '' OR EXISTS { (a)-[:BELONGS_TO]->(:Subject)-[:BELONGS_TO]->(:Tenant {name: $tenant}) })
WITH pair, a, b, r
ORDER BY r.created_at DESC
LIMIT 20
OPTIONAL MATCH shared = (a)-[:MENTIONS]->(:Entity)<-[:MENTIONS]-(b)
RETURN pair, shared
LIMIT 100

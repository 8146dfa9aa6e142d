// What led to what: causes, reasons and consequences
// :param tenant => ''
MATCH step = (a:Memory)-[r:CAUSES|ENABLES|MOTIVATED_BY|SUPPORTS]->(b:Memory)
WHERE r.open_key IS NOT NULL
  AND ($tenant = '' OR EXISTS { (a)-[:BELONGS_TO]->(:Subject)-[:BELONGS_TO]->(:Tenant {name: $tenant}) })
RETURN step
ORDER BY r.created_at DESC
LIMIT 50

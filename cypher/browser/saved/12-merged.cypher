// What was merged into what, because it said the same
// :param tenant => ''
MATCH merged = (a:Memory)-[r:MERGED_INTO]->(b:Memory)
WHERE r.open_key IS NOT NULL
  AND ($tenant = '' OR EXISTS { (a)-[:BELONGS_TO]->(:Subject)-[:BELONGS_TO]->(:Tenant {name: $tenant}) })
RETURN merged
ORDER BY r.created_at DESC
LIMIT 50

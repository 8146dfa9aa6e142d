// How people, places and things relate, as memories state it
// :param tenant => ''
MATCH stated = (a:Entity)-[r:RELATES_TO]->(b:Entity)
WHERE $tenant = '' OR EXISTS { MATCH (t:Tenant {name: $tenant}) WHERE t.id = a.tenant }
RETURN stated
ORDER BY r.strength DESC, a.link_count + b.link_count DESC
LIMIT 60

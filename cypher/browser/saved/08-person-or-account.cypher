// From a name: an account or a person whose memories are kept, and the most important of them
// :param owner => 'demo'
MATCH (s:Subject)-[:BELONGS_TO]->(t:Tenant)
WHERE s.name = $owner OR t.name = $owner
WITH s, t
ORDER BY s.last_active_on DESC
LIMIT 5
OPTIONAL MATCH owned = (s)<-[:BELONGS_TO]-(m:Memory:Live)
WITH s, t, owned, m
ORDER BY m.importance DESC, m.id
LIMIT 40
RETURN s, t, owned
LIMIT 40

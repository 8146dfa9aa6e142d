// Start here: what matters most now, who it is about, and what it replaced
// :param tenant => ''
MATCH (m:Memory:Live)
WHERE $tenant = '' OR EXISTS { (m)-[:BELONGS_TO]->(:Subject)-[:BELONGS_TO]->(:Tenant {name: $tenant}) }
WITH m
ORDER BY m.importance DESC, m.created_at DESC, m.id
LIMIT 20
OPTIONAL MATCH about = (m)-[r:MENTIONS]->(:Entity)
WHERE r.recorded_to > datetime()
OPTIONAL MATCH whose = (m)-[:BELONGS_TO]->(:Subject)
OPTIONAL MATCH before = (m)-[:SUPERSEDES]->(:Memory)
RETURN m, about, whose, before
LIMIT 100

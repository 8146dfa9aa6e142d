// Around a name: a person, a place or a thing, what mentions it now, and how it relates to others
// :param name => 'Mara'
MATCH (e:Entity)
WHERE toLower(e.name) = toLower($name) OR any(alias IN e.aliases WHERE toLower(alias) = toLower($name))
WITH e
ORDER BY e.link_count DESC
LIMIT 3
OPTIONAL MATCH mentioned = (e)<-[r:MENTIONS]-(m:Memory:Live)
WHERE r.recorded_to > datetime()
WITH e, mentioned, m
ORDER BY m.importance DESC, m.id
LIMIT 40
OPTIONAL MATCH relation = (e)-[:RELATES_TO]-(:Entity)
RETURN e, mentioned, relation
LIMIT 200

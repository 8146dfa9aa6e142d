// What is stated of a name: its attributes, and the memories that state their values now
// :param name => 'Mara'
MATCH (e:Entity)
WHERE toLower(e.name) = toLower($name) OR any(alias IN e.aliases WHERE toLower(alias) = toLower($name))
WITH e
ORDER BY e.link_count DESC
LIMIT 3
MATCH stated = (e)<-[:OF]-(:Attribute)<-[r:STATES]-(m:Memory:Live)
WHERE r.open_key IS NOT NULL
RETURN stated
ORDER BY m.valid_from DESC
LIMIT 100

// The memories behind nodes of a projection, each with what it could name a community after.
UNWIND $nodes AS node
WITH node, gds.util.asNode(node) AS m
WHERE m.tenant = $tenant AND m.subject_id = $subject
RETURN node, m.id AS id, m.caption AS caption, m.content_hash AS content_hash,
       COLLECT { MATCH (m)-[r:MENTIONS]->(e:Entity) WHERE r.recorded_to = $forever RETURN DISTINCT e.name } AS entities

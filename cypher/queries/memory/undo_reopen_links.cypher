// Opens links and claims again that were closed by what is undone, as they were; a memory that states something else keeps to it.
UNWIND $anchors AS anchor
MATCH (:Memory {tenant: $tenant, id: anchor})-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|STATES]-(:Memory|Attribute)
WHERE r.id IN $ids
WITH DISTINCT r
ORDER BY r.recorded_from DESC
WITH r.id AS id, collect(r)[0] AS last
WITH id, last, startNode(last) AS a, endNode(last) AS b
WHERE NOT b:Attribute OR NOT EXISTS { (a)-[r:STATES]->() WHERE r.open_key IS NOT NULL }
CREATE (a)-[again:$(type(last))]->(b)
SET again = last {.*, open_key: CASE WHEN b:Attribute THEN a.id ELSE a.id + '>' + b.id END, recorded_from: $pending, recorded_to: $forever}
RETURN id, [n IN [a, b] WHERE n:Memory | n.id] AS ends

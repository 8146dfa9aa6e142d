// Opens links again that were closed by what is undone, as they were.
UNWIND $anchors AS anchor
MATCH (:Memory {tenant: $tenant, id: anchor})-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]-(:Memory)
WHERE r.id IN $ids
WITH DISTINCT r
ORDER BY r.recorded_from DESC
WITH r.id AS id, collect(r)[0] AS last
WITH id, last, startNode(last) AS a, endNode(last) AS b
CREATE (a)-[again:$(type(last))]->(b)
SET again = last {.*, open_key: a.id + '>' + b.id, recorded_from: $pending, recorded_to: $forever}
RETURN id, [a.id, b.id] AS ends

// Closes links and claims that were opened by what is undone; they are found from the memories that it changed.
UNWIND $anchors AS anchor
MATCH (:Memory {tenant: $tenant, id: anchor})-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|STATES]-(:Memory|Attribute)
WHERE r.id IN $ids AND r.open_key IS NOT NULL
WITH DISTINCT r
SET r.open_key = null, r.recorded_to = $pending
RETURN r.id AS id, [n IN [startNode(r), endNode(r)] WHERE n:Memory | n.id] AS ends

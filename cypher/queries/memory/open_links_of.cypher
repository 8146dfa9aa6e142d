// The open links that a merge has to carry over, of both memories.
MATCH (m:Memory)-[r:CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR]-(x:Memory)
WHERE m.tenant = $tenant AND m.id IN $ids AND m.subject_id = $subject AND r.open_key IS NOT NULL
RETURN m.id AS id, r.id AS link, type(r) AS kind, startNode(r) = m AS is_outbound, x.id AS end, r.confidence AS confidence,
       r.strength AS strength, r.reason AS reason
ORDER BY link

// Closes the open link of an id; answers it as it was.
MATCH (a:Memory)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]->(b:Memory)
WHERE r.tenant = $tenant AND r.id = $id AND r.recorded_to = $forever
  AND a.tenant = $tenant AND a.subject_id = $subject AND b.subject_id = $subject
WITH a, b, r, r {.*} AS link
SET r.open_key = null, r.recorded_to = $pending
RETURN type(r) AS kind, a.id AS from_id, b.id AS to_id, link

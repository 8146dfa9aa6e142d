// The name of the subject whose link this is.
MATCH (a:Memory)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]->(b:Memory)
WHERE r.tenant = $tenant AND r.id = $id AND r.recorded_to <= $forever
  AND a.tenant = $tenant AND a.subject_id >= $lo AND a.subject_id <= $hi
WITH DISTINCT a.subject_id AS subject
MATCH (s:Subject {tenant: $tenant, id: subject})
RETURN s.name AS name

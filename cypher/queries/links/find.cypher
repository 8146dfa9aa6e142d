// The id of the open link of a type between two memories.
MATCH (a:Memory {tenant: $tenant, id: $from})-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]->(b:Memory {tenant: $tenant, id: $to})
WHERE type(r) = $kind AND r.open_key IS NOT NULL AND a.subject_id = $subject AND b.subject_id = $subject
RETURN r.id AS id

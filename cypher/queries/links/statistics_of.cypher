// How many links of each type go out of one memory and come into it, as recorded at a time.
MATCH (m:Memory {tenant: $tenant, id: $id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
OPTIONAL MATCH (m)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]-(n:Memory)
WHERE n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi
  AND r.recorded_from <= $known_at AND r.recorded_to > $known_at
WITH m, type(r) AS kind, r
RETURN kind, count(CASE WHEN startNode(r) = m THEN 1 END) AS outbound,
       count(CASE WHEN endNode(r) = m THEN 1 END) AS inbound, count(r) AS total

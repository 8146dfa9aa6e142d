// How many links of each type memories have, as recorded at a time: out of one memory and into it, or of all of them.
MATCH (m:Memory)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]->(n:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi
  AND n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi
  AND r.recorded_from <= $known_at AND r.recorded_to > $known_at
RETURN type(r) AS kind, count(r) AS outbound, count(r) AS inbound, count(r) AS total

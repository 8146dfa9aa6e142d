// The links between memories of a set, as recorded at a time, each once.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO|SHARES_ENTITY]->(n:Memory)
WHERE n.id IN $ids AND type(r) IN $kinds AND coalesce(
    r.recorded_from <= $known_at AND r.recorded_to > $known_at AND r.strength >= $min_strength
      AND r.confidence >= $min_confidence, $with_shared AND r.weight >= $min_strength)
  AND m.subject_id >= $lo AND m.subject_id <= $hi AND n.tenant = $tenant AND n.subject_id >= $lo AND n.subject_id <= $hi
WITH m, r, n
LIMIT $reads
RETURN r.id AS id, type(r) AS kind, m.id AS from_id, n.id AS to_id, r.reason AS reason, r.confidence AS confidence,
       r.strength AS strength, coalesce(r.created_at, r.weighed_at) AS created_at, r.created_by AS created_by,
       r.weight AS weight, r.names AS names

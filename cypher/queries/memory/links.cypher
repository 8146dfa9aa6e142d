// The links of each memory in both directions, as recorded at a time.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]-(o:Memory)
WHERE m.subject_id >= $lo AND m.subject_id <= $hi AND o.tenant = $tenant AND o.subject_id >= $lo AND o.subject_id <= $hi
  AND r.recorded_from <= $known_at AND r.recorded_to > $known_at
WITH id, r, startNode(r) AS a, endNode(r) AS b
ORDER BY r.recorded_from, r.id
RETURN id, collect({
  id: r.id, kind: type(r), from_id: a.id, to_id: b.id, reason: r.reason, confidence: r.confidence, strength: r.strength,
  created_at: r.created_at, created_by: r.created_by
}) AS links

// The links of each memory in both directions, as recorded at a time, of each kind and direction the first `most`.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
MATCH (m)-[r:SUPERSEDES|CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR|CONSOLIDATES|DERIVED_FROM|MERGED_INTO]-(o:Memory)
WHERE o.tenant = $tenant AND o.subject_id >= $lo AND o.subject_id <= $hi
  AND r.recorded_from <= $known_at AND r.recorded_to > $known_at
WITH id, r, type(r) AS kind, startNode(r) = m AS is_out
ORDER BY r.recorded_from, r.id
WITH id, kind, is_out, collect(r)[..$most] AS some
UNWIND some AS r
WITH id, r, startNode(r) AS a, endNode(r) AS b
ORDER BY r.recorded_from, r.id
RETURN id, collect({
  id: r.id, kind: type(r), from_id: a.id, to_id: b.id, reason: r.reason, confidence: r.confidence, strength: r.strength,
  created_at: r.created_at, created_by: r.created_by
}) AS links

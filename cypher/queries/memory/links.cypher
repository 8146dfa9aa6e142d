// The links of each memory in both directions, as recorded at a time.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})-[r:SUPERSEDES]-(:Memory)
WHERE m.subject_id >= $lo AND m.subject_id <= $hi AND r.recorded_from <= $known_at AND r.recorded_to > $known_at
WITH id, r, startNode(r) AS a, endNode(r) AS b
ORDER BY r.recorded_from
RETURN id, collect({
  id: r.id, kind: type(r), from_id: a.id, to_id: b.id, reason: r.reason, confidence: r.confidence,
  created_at: r.created_at, created_by: r.created_by
}) AS links

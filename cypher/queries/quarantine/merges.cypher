// The merges that stand and that some memories took part in, newest first, each with the change that recorded it.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
CALL (m) {
  MATCH (m)-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]-(:Memory)
  RETURN r, startNode(r) AS other, endNode(r) AS keep
  UNION ALL
  MATCH (m)-[r:CONSOLIDATES WHERE r.open_key IS NOT NULL]-(:Memory)
  WHERE endNode(r).status = 'ARCHIVED'
  RETURN r, endNode(r) AS other, startNode(r) AS keep
}
WITH DISTINCT r, other, keep
OPTIONAL MATCH (c:Change {tenant: $tenant, at: r.recorded_from})
WHERE c.operation = 'MERGE' AND other.id IN c.sources AND keep.id IN c.targets
WITH other, keep, r, head(collect(c)) AS c
RETURN other.id AS other, keep.id AS keep, r.id AS link, coalesce(r.repeats, false) AS repeats, c {.*} AS change
ORDER BY c.sequence DESC, r.recorded_from DESC

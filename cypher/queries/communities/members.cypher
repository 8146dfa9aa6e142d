// The members of each community that are live, newest first, from a cursor on.
UNWIND $ids AS id
MATCH (c:Community {tenant: $tenant, id: id})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi
RETURN id, COLLECT {
  MATCH (m:Live)-[r:MEMBER_OF]->(c)
  WHERE r.recorded_to = $forever
    AND ($before IS NULL OR m.created_at < $before OR (m.created_at = $before AND m.id < $before_id))
  RETURN {id: m.id, at: m.created_at}
  ORDER BY m.created_at DESC, m.id DESC
  LIMIT $first
} AS members

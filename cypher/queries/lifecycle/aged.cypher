// Memories of a scope and a status that were made before a moment, oldest first; critical and pinned ones stay.
// So do the members of a merged memory, which would fall with them.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.created_at <= $before AND m.subject_id >= $lo AND m.subject_id <= $hi AND m.status = $status AND NOT m:Summary
  AND NOT coalesce(m.critical, false) AND NOT coalesce(m.pinned, false)
  AND NOT EXISTS { (m)<-[r:CONSOLIDATES WHERE r.open_key IS NOT NULL]-(made:Memory WHERE made.status <> 'RETRACTED') }
RETURN m.id AS id, m.caption AS caption, m.importance AS importance, m.retention AS retention
ORDER BY m.created_at, m.id
LIMIT $limit

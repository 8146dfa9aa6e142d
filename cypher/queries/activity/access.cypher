// Counts uses of memories; says which are active.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})
OPTIONAL MATCH (s:Subject {tenant: $tenant, id: m.subject_id})
SET m.access_count = coalesce(m.access_count, 0) + row.count
WITH m, s, row
SET m.last_accessed_at =
      CASE WHEN m.last_accessed_at.epochMillis >= row.at.epochMillis THEN m.last_accessed_at ELSE row.at END,
    m.accessed_day = coalesce(s.activity_days, 0),
    m.wanted_at = CASE WHEN $restores AND m.status = 'ARCHIVED' THEN row.at ELSE m.wanted_at END
RETURN m.id AS id, m.status = 'ACTIVE' AS is_active

// A memory, what superseded it, and the change that recorded it.
MATCH (m:Memory {tenant: $tenant, id: $id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
OPTIONAL MATCH (newer:Memory)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(m)
OPTIONAL MATCH (c:Change {tenant: $tenant, at: r.recorded_from})
WHERE c.operation = 'SUPERSEDE' AND newer.id IN c.targets
RETURN m {.*, embedding: null} AS state, newer {.*, embedding: null} AS newer, r.reason AS reason, r.recorded_from AS at,
       c {.sequence, .place, .actor} AS change
LIMIT 1

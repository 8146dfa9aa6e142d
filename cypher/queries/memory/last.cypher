// Each memory's last recorded state, live or past.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
RETURN id, m {.*, embedding: null} AS state

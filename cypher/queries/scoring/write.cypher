// Writes the scores of named memories.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})
SET m.importance = row.importance, m.retention = row.retention
WITH m, row
WHERE coalesce(m.tier_rank <> row.tier_rank, true)
// An index filter: each write of it inserts the vector anew.
SET m.tier = row.tier, m.tier_rank = row.tier_rank

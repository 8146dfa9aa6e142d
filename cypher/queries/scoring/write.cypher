// Writes the scores of named memories.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.id})
SET m.importance = row.importance, m.retention = row.retention
WITH m, row
WHERE m.tier_rank <> row.rank
SET m.tier = row.tier, m.tier_rank = row.rank

// Remembers as of when the memories of a tenant were rescored.
MATCH (t:Tenant {id: $tenant})
SET t.rescored_at = CASE WHEN t.rescored_at.epochMillis >= $at.epochMillis THEN t.rescored_at ELSE $at END

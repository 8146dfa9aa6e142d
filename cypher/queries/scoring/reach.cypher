// Remembers as of when the memories of a tenant were rescored: the latest moment, of those that can be believed.
MATCH (t:Tenant {id: $tenant})
WITH t, t.rescored_at.epochMillis AS last, datetime().epochMillis + $skew_ms AS theirs, $now.epochMillis + $skew_ms AS ours
SET t.rescored_at = CASE WHEN last >= $at.epochMillis AND (last <= ours OR last <= theirs) THEN t.rescored_at ELSE $at END

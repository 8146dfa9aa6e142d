// Whether the memories of a tenant were rescored as of this moment or a later one that can be believed.
// What lies ahead of our clock and of the database's as well was written by a clock that was wrong.
MATCH (t:Tenant {id: $tenant})
WITH t.rescored_at.epochMillis AS last, datetime().epochMillis + $skew_ms AS theirs, $now.epochMillis + $skew_ms AS ours
RETURN coalesce(last >= $at.epochMillis AND (last <= ours OR last <= theirs), false) AS is_reached

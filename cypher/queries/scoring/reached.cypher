// Whether the memories of a tenant were rescored as of this moment or a later one.
MATCH (t:Tenant {id: $tenant})
RETURN coalesce(t.rescored_at.epochMillis >= $at_ms, false) AS is_reached

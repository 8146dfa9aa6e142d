// Closes memberships: the memory left the community, or is no longer live.
UNWIND $rows AS row
MATCH (m:Memory {tenant: $tenant, id: row.memory})-[r:MEMBER_OF]->(:Community {tenant: $tenant, id: row.community})
WHERE r.recorded_to = $forever
SET r.recorded_to = $now

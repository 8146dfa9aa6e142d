// Ends communities: nothing continues them.
UNWIND $ids AS id
MATCH (c:Community {tenant: $tenant, id: id})
SET c.ended_at = $now, c.updated_at = $now, c.size = 0
WITH c
MATCH (:Memory)-[r:MEMBER_OF]->(c)
WHERE r.recorded_to = $forever
SET r.recorded_to = $now

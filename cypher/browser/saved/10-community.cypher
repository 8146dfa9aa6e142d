// A community with its members, its summary, and what became of it
// :param community => ''
MATCH (c:Community)
WHERE c.id = $community OR ($community = '' AND c.ended_at IS NULL)
WITH c
ORDER BY c.size DESC
LIMIT 1
MATCH members = (c)<-[r:MEMBER_OF]-(m:Memory)
WHERE r.recorded_to > datetime()
WITH c, members, m
LIMIT 50
OPTIONAL MATCH summary = (m)<-[k:CONSOLIDATES WHERE k.open_key IS NOT NULL]-(s:Summary {community_id: c.id})
OPTIONAL MATCH lineage = (c)-[:BECAME]-(:Community)
RETURN c, members, summary, lineage
LIMIT 500

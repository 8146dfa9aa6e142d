// The last conversation: what was said, and which memory came of which message
// :param tenant => ''
MATCH (s:Segment)
WHERE $tenant = '' OR EXISTS { MATCH (t:Tenant {name: $tenant}) WHERE t.id = s.tenant }
WITH s
ORDER BY s.started_at DESC
LIMIT 1
MATCH said = (s)<-[:PART_OF]-(message:Message)
WITH said, message
ORDER BY message.position
LIMIT 40
OPTIONAL MATCH source = (message)<-[:EXTRACTED_FROM]-(:Memory)
RETURN said, source
LIMIT 100

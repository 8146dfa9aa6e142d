// How much there is: accounts, people, and their memories by tier
// :param tenant => ''
MATCH (t:Tenant)
WHERE $tenant = '' OR t.name = $tenant
MATCH (t)<-[:BELONGS_TO]-(s:Subject)<-[:BELONGS_TO]-(m:Memory)
RETURN t.name AS account, s.name AS person, count(m) AS memories,
       count(CASE WHEN m:Live THEN 1 END) AS current, count(CASE WHEN m.status = 'ARCHIVED' THEN 1 END) AS archived
ORDER BY memories DESC
LIMIT 100

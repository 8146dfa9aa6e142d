// Makes or renames communities and opens memberships; says how many were opened.
UNWIND $rows AS row
MERGE (c:Community {tenant: $tenant, id: row.id})
ON CREATE SET c.subject_id = $subject, c.created_at = $now
SET c.size = row.size, c.label = row.label, c.about = row.about, c.caption = left(row.label, 40), c.central_id = row.central_id,
    c.updated_at = $now
WITH c, row
UNWIND row.joined AS member
MATCH (m:Memory {tenant: $tenant, id: member})
WHERE m.subject_id = $subject
CREATE (m)-[:MEMBER_OF {tenant: $tenant, recorded_from: $now, recorded_to: $forever}]->(c)
RETURN count(*) AS joined

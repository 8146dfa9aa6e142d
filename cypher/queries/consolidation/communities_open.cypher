// The communities of a subject that have not ended, or some of these, with their members.
MATCH (c:Community)
WHERE c.tenant = $tenant AND c.subject_id = $subject AND c.ended_at IS NULL AND ($ids IS NULL OR c.id IN $ids)
OPTIONAL MATCH (m:Memory)-[r:MEMBER_OF]->(c)
WHERE r.recorded_to = $forever
RETURN c.id AS id, c.label AS label, coalesce(c.about, []) AS about, c.central_id AS central_id, collect(m.id) AS members

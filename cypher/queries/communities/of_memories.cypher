// Which community each memory is in now; that of a summary is the one it sums up.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
OPTIONAL MATCH (m)-[r:MEMBER_OF]->(c:Community)
WHERE r.recorded_to = $forever
RETURN id, coalesce(m.community_id, c.id) AS community

// What waits for a person to say that it takes the place of one of some memories: that memory, and the text of the newer.
MATCH (target:Memory {tenant: $tenant})
WHERE target.id IN $ids AND target.subject_id >= $lo AND target.subject_id <= $hi
MATCH (target)<-[:ABOUT]-(r:Review {status: 'PENDING', action: 'SUPERSEDE'})-[:ABOUT]->(m:Memory {status: 'ACTIVE'})
WHERE r.target_id = target.id AND m.id = r.memory_id
RETURN target.id AS id, m.text AS text
ORDER BY r.confidence DESC, r.id

// Opens a review of two memories, and remembers what they say by its hash.
MATCH (m:Memory {tenant: $tenant, id: $properties.memory_id})
WHERE m.subject_id = $subject
MATCH (target:Memory {tenant: $tenant, id: $properties.target_id})
WHERE target.subject_id = $subject
MATCH (s:Subject {tenant: $tenant, id: $subject})
CREATE (r:Review {tenant: $tenant, subject_id: $subject})-[:BELONGS_TO]->(s), (r)-[:ABOUT]->(m), (r)-[:ABOUT]->(target)
SET r += $properties
SET r.memory_hash = m.content_hash, r.target_hash = target.content_hash
RETURN r.id AS id

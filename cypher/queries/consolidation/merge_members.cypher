// Live memories by what they say, each with whether it may be merged and the merged memories that it was taken out of again.
// Versions of a truth, summaries, and what somebody is being asked about stay by themselves.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m:Live AND m.subject_id = $subject
RETURN m {.*, embedding: null, embedding_next: null} AS memory,
       NOT m:Summary AND NOT EXISTS { (m)-[:SUPERSEDES]-(:Memory) } AND NOT EXISTS {
         MATCH (r:Review)
         WHERE r.tenant = $tenant AND r.subject_id = m.subject_id AND r.status = 'PENDING' AND (r.memory_id = m.id OR r.target_id = m.id)
       } AS is_free,
       COLLECT {
         MATCH (made:Memory)-[r:CONSOLIDATES]->(m)
         WHERE r.open_key IS NULL
         RETURN DISTINCT made.id AS of
         UNION
         // What was split stays beside its parts, and none of them is put together with another again.
         MATCH (m)-[r:DERIVED_FROM]->(whole:Memory)
         WHERE r.open_key IS NOT NULL
         RETURN DISTINCT whole.id AS of
         UNION
         MATCH (m)<-[r:DERIVED_FROM]-(:Memory)
         WHERE r.open_key IS NOT NULL
         RETURN DISTINCT m.id AS of
       } AS parted
ORDER BY m.content_hash, m.id

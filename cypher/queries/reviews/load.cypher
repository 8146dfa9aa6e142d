// A review of the subject, and whether the two memories still say what they said.
MATCH (r:Review {tenant: $tenant, id: $id})
WHERE r.subject_id = $subject
OPTIONAL MATCH (m:Memory {tenant: $tenant, id: r.memory_id})
OPTIONAL MATCH (target:Memory {tenant: $tenant, id: r.target_id})
RETURN r {.*} AS review, m.content_hash = r.memory_hash AS says_the_same, target.content_hash = r.target_hash AS target_says_the_same,
       coalesce(m:Live, false) AS is_live, coalesce(target:Live, false) AS target_is_live

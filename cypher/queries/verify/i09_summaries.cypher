// I9: summaries that rest on nothing, on a summary, or on what another subject said, and those that stand among memories.
MATCH (s:Summary)
WHERE s.tenant = $tenant AND s.subject_id >= '' AND s:Memory
WITH s, COLLECT { MATCH (s)-[r:CONSOLIDATES WHERE r.open_key IS NOT NULL]->(m:Memory) RETURN m } AS members
WHERE (s.status = 'ACTIVE' AND size(members) = 0) OR any(m IN members WHERE m:Summary OR m.subject_id <> s.subject_id)
   OR s.community_id IS NULL
WITH s.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

// Closes links from summaries to memories that they no longer rest on.
UNWIND $ids AS id
MATCH (s:Memory {tenant: $tenant, id: id})-[r:CONSOLIDATES WHERE r.open_key IS NOT NULL]->(:Memory)
WHERE s.subject_id = $subject AND r.id IN $links
SET r.open_key = null, r.recorded_to = $pending
RETURN count(*) AS closed

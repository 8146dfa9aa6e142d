// The groups of a plan by their position, from one on.
MATCH (p:PlannedMerge)
WHERE p.tenant = $tenant AND p.run_id = $run_id AND p.position > $after AND p.subject_id >= $lo AND p.subject_id <= $hi
RETURN p {.*} AS planned
ORDER BY p.position
LIMIT $first

// I10: the subjects and where the chain of each ends.
MATCH (s:Subject)
WHERE s.tenant = $tenant
RETURN s.id AS id, s.chain AS chain

// Whether a memory is the only one of its chain.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.chain_id = $chain AND m.subject_id = $subject
RETURN count(m) = 1 AS alone

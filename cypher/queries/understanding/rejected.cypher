// Which of these texts a person has retracted.
UNWIND $hashes AS hash
MATCH (m:Past {tenant: $tenant, subject_id: $subject, content_hash: hash})
WHERE m.state_rank = $retracted AND m:Memory
RETURN DISTINCT hash

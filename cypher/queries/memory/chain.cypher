// The named memories of a subject and all members of their chains, each with the one it supersedes.
UNWIND $ids AS id
MATCH (named:Memory {tenant: $tenant, id: id})
WHERE named.subject_id = $subject
WITH collect(DISTINCT named.chain_id) AS chains
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.chain_id IN chains AND m.subject_id = $subject
OPTIONAL MATCH (m)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory)
RETURN m {.*, embedding: null} AS memory, older.id AS supersedes

// What the plain driver would send to put a new version on the head of a chain, under the subject's lock.
MERGE (s:Subject {tenant: $tenant, id: $subject})
SET s.sequence = coalesce(s.sequence, 0) + 1
WITH s
OPTIONAL MATCH (old:Memory {tenant: $tenant, chain_id: $chain})
WHERE old:Live
CREATE (new:Memory:Live {tenant: $tenant})
SET new += $properties, new.chain_id = $chain
WITH old, new
WHERE old IS NOT NULL
SET old:Past
REMOVE old:Live
SET old.live_key = null, old.valid_to = new.valid_from
CREATE (new)-[:SUPERSEDES {tenant: $tenant, id: new.id, open_key: new.id + '>' + old.id, recorded_to: $forever}]->(old)

// How a truth changed: the chain of versions of what says these words, newest at its head
// :param words => 'lives in'
MATCH (m:Memory)
WHERE toLower(m.text) CONTAINS toLower($words) AND EXISTS { (m)-[:SUPERSEDES]-(:Memory) }
WITH m.tenant AS tenant, m.chain_id AS chain, max(m.recorded_from) AS latest
ORDER BY latest DESC
LIMIT 1
MATCH (version:Memory {tenant: tenant, chain_id: chain})
OPTIONAL MATCH step = (version)-[:SUPERSEDES]->(:Memory)
OPTIONAL MATCH about = (version)-[r:MENTIONS]->(:Entity)
WHERE r.recorded_to > datetime()
RETURN version, step, about
LIMIT 100

// I4: chains with no member, or more than one, that nothing supersedes.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= ''
WITH m.chain_id AS chain,
     sum(CASE WHEN EXISTS { (m)<-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]-(:Memory) } THEN 0 ELSE 1 END) AS heads
WHERE heads <> 1
RETURN count(chain) AS violations, collect(chain)[..20] AS examples

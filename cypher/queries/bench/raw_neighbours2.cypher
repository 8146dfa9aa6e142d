// What the plain driver would ask for everything within two typed hops.
MATCH (m:Memory {tenant: $tenant, id: $id})-[:RELATED|CAUSES|SUPPORTS]-{1,2}(n:Memory)
WHERE n.tenant = $tenant AND n <> m
WITH DISTINCT n
LIMIT $limit
RETURN n {.*, embedding: null} AS state

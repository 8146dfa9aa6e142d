// Nodes that belong to no tenant there is, apart from those that belong to the store as a whole.
MATCH (n)
WHERE NOT n:Tenant|Migration|VectorSpace AND (n.tenant IS NULL OR NOT EXISTS { MATCH (t:Tenant) WHERE t.id = n.tenant })
WITH coalesce(n.id, head(labels(n))) AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

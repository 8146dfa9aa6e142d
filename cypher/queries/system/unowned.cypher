// Nodes that belong to no tenant there is.
MATCH (n)
WHERE NOT n:Tenant AND NOT n:Migration AND (n.tenant IS NULL OR NOT EXISTS { MATCH (t:Tenant) WHERE t.id = n.tenant })
WITH coalesce(n.id, head(labels(n))) AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

// The memories behind nodes of a projection.
UNWIND $nodes AS node
WITH node, gds.util.asNode(node) AS m
WHERE m.tenant = $tenant AND m.subject_id = $subject
RETURN node, m.id AS id, m.caption AS caption, m.content_hash AS content_hash

// I8: pairs of memories with more than one open link of a type.
MATCH (a:Memory)-[r]->(b:Memory)
WHERE a.tenant = $tenant AND a.id >= '' AND NOT type(r) IN $derived AND r.open_key IS NOT NULL
WITH a, b, type(r) AS kind, count(r) AS links
WHERE links > 1
WITH a.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

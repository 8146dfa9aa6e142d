// I8: links of memories that lack what a link has, join a memory to itself, or are open and closed at once.
MATCH (a:Memory)-[r]->(b:Memory)
WHERE a.tenant = $tenant AND a.id >= '' AND NOT type(r) IN $derived
WITH a.id AS id,
     r.id IS NOT NULL AND a.id <> b.id AND 0 <= r.confidence <= 1 AND 0 <= r.strength <= 1
       AND (r.open_key IS NOT NULL) = (r.recorded_to = $forever)
       AND (NOT type(r) IN $symmetric OR a.id < b.id) AS sane
WHERE NOT coalesce(sane, false)
RETURN count(id) AS violations, collect(id)[..20] AS examples

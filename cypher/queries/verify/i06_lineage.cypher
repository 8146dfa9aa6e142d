// I6: communities of which something is told that cannot be: ahead of the clock, before they were there, or of an unknown kind.
MATCH (a:Community)-[r:BECAME]->(b:Community)
WHERE a.tenant = $tenant AND a.id >= ''
  AND NOT coalesce(r.at <= $soon AND r.at >= a.created_at AND r.at >= b.created_at AND r.kind IN $becomings
    AND r.size >= 0 AND r.joined >= 0 AND r.left >= 0, false)
WITH a.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

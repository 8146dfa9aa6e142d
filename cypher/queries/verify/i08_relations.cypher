// I8: relations of entities without the memory of their subject that states them and mentions both.
MATCH (a:Entity)-[r:RELATES_TO]->(b:Entity)
WHERE a.tenant = $tenant AND a.id >= '' AND (NOT coalesce(0 <= r.strength <= 1, false) OR NOT EXISTS {
  MATCH (m:Memory {tenant: $tenant, id: r.memory_id})
  WHERE m.subject_id = a.subject_id AND m.subject_id = b.subject_id
    AND EXISTS { (m)-[:MENTIONS]->(a) } AND EXISTS { (m)-[:MENTIONS]->(b) }
})
WITH a.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

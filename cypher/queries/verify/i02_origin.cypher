// I2: memories that no change added, or that do not say where they come from.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= '' AND (
  m.source_kind IS NULL
  OR NOT EXISTS { 
    MATCH (c:Change)-[:CHANGED]->(m)
    WHERE c.tenant = $tenant
      AND (c.operation = 'ADD' AND m.id IN c.targets OR c.classification = 'DUPLICATE' AND m.id IN c.sources
           OR c.classification = 'CONSOLIDATE' AND m.id IN c.targets)
  }
)
WITH m.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

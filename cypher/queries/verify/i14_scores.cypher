// I14: states with a score outside 0 to 1.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id >= '' AND NOT coalesce(
  0 <= m.importance <= 1 AND 0 <= m.base_importance <= 1 AND 0 <= m.confidence <= 1 AND 0 <= coalesce(m.retention, 0) <= 1, false)
WITH m.id AS id
RETURN count(id) AS violations, collect(id)[..20] AS examples

// What the policies read of the active memories of a scope that a filter leaves, from an id on.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.id > $after AND m.subject_id >= $lo AND m.subject_id <= $hi AND m.status = 'ACTIVE' AND NOT m:Summary
  AND ($kinds IS NULL OR m.kind IN $kinds) AND ($tag IS NULL OR $tag IN m.tags) AND ($tier IS NULL OR m.tier = $tier)
WITH m
ORDER BY m.id
LIMIT $first
OPTIONAL MATCH (s:Subject {tenant: $tenant, id: m.subject_id})
// Times as numbers: to read each as a time takes the driver longer than all the rest.
RETURN m {.base_importance, .access_count, .confidence, .kind, .critical, .pinned, .feedback, .created_day, .accessed_day,
          created_at: m.created_at.epochMillis, last_accessed_at: m.last_accessed_at.epochMillis,
          happens_at: m.happens_at.epochMillis, expires_at: m.expires_at.epochMillis} AS facts,
       m.id AS id, m.caption AS caption, m.importance AS importance, m.retention AS retention, m.tier AS tier,
       coalesce(s.activity_days, 0) AS activity_days,
       CASE WHEN EXISTS { (m)<-[r:SUPERSEDES]-() WHERE r.open_key IS NOT NULL } THEN m.valid_to.epochMillis END AS superseded_at,
       COUNT { (m)<-[r:CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES]-()
               WHERE r.open_key IS NOT NULL }
       + COUNT { (m)-[r:CONFLICTS]->() WHERE r.open_key IS NOT NULL } AS hub_links
ORDER BY m.id

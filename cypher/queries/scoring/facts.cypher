// What the policies read of memories that are named.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id >= $lo AND m.subject_id <= $hi
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

// Entities found by their name, by their aliases, by what they lead to, and relations found by what states them.
CREATE INDEX entity_named IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.subject_id, n.key);
CREATE INDEX entity_aliases IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.subject_id, n.alias_keys);
CREATE INDEX entity_led IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.alias_of);
CREATE INDEX relates_to_memory IF NOT EXISTS FOR ()-[r:RELATES_TO]-() ON (r.tenant, r.memory_id);

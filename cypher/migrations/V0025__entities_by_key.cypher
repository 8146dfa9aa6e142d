// Entities found by a name among all subjects of a tenant.
CREATE INDEX entity_keyed IF NOT EXISTS FOR (n:Entity) ON (n.tenant, n.key, n.subject_id);

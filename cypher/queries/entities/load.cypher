// The subject's entities by their ids, with those that are aliases of them.
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id})
WHERE e.subject_id = $subject
RETURN e {.*} AS entity, COLLECT {
  MATCH (a:Entity {tenant: $tenant, alias_of: e.id})
  RETURN a.id
} AS alias_ids

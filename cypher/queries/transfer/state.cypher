// Whether a tenant holds anything, and the restore that is under way in it.
OPTIONAL MATCH (t:Tenant {id: $tenant})
RETURN t.restoring AS restoring, t.restored AS restored,
  EXISTS { MATCH (n:Subject) WHERE n.tenant = $tenant AND n.id >= '' }
  OR EXISTS { MATCH (n:Memory) WHERE n.tenant = $tenant AND n.id >= '' }
  OR EXISTS { MATCH (n:Entity) WHERE n.tenant = $tenant AND n.id >= '' }
  OR EXISTS { MATCH (n:Segment) WHERE n.tenant = $tenant AND n.id >= '' }
  OR EXISTS { MATCH (n:Review) WHERE n.tenant = $tenant AND n.id >= '' }
  OR EXISTS { MATCH (n:Change) WHERE n.tenant = $tenant AND n.id >= '' }
  OR EXISTS { MATCH (n:Request) WHERE n.tenant = $tenant AND n.id >= '' } AS holds

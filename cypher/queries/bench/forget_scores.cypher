// Lets a bench's tenant be rescored as of any moment.
MATCH (t:Tenant {id: $tenant})
REMOVE t.rescored_at

// Removes the node of a benchmark's tenant.
MATCH (t:Tenant {id: $id})
DELETE t

// Notes that the provider still works at a batch.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.status = 'submitted'
SET b.expires_at = coalesce($expires_at, b.expires_at), b.faults = 0, b.reason = $reason
RETURN b {.*} AS batch

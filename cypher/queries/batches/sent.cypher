// Notes under which id the provider holds a batch.
MATCH (b:Batch {tenant: $tenant, id: $id})
WHERE b.status = 'submitted' AND b.provider_id IS NULL
SET b.provider_id = $provider_id, b.submitted_at = $now, b.expires_at = $expires_at, b.sending_at = null, b.moved_at = $now,
    b.faults = 0, b.reason = null
RETURN b {.*} AS batch

// The request of this key: a new one, or the one that came before.
MERGE (r:Request {tenant: $tenant, subject_id: $wall, operation: $operation, key: $key})
ON CREATE SET r.id = $id, r.fingerprint = $fingerprint, r.actor = $actor, r.created_at = $now
RETURN r.id AS id, r.fingerprint AS fingerprint, r.answer AS answer, r.erased_at AS erased_at

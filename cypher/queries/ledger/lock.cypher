// Lets the writers of one subject follow one another, and makes the subject at its first write.
MERGE (t:Tenant {id: $tenant})
ON CREATE SET t.name = $tenant_name, t.sequence = 0, t.recorded_at = $now - duration({milliseconds: 1}), t.created_at = $now
MERGE (s:Subject {tenant: $tenant, id: $subject})
ON CREATE SET s.name = $name, s.sequence = 0, s.created_at = $now
SET s.sequence = s.sequence + 1
RETURN s.sequence AS sequence

// Sets properties of entities; a missing one is removed.
UNWIND $rows AS row
MATCH (e:Entity {tenant: $tenant, id: row.id})
WHERE e.subject_id = $subject
SET e += row.set

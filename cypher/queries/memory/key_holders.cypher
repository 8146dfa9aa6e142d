// Which live memories hold these keys.
UNWIND $keys AS key
MATCH (m:Memory {tenant: $tenant, subject_id: $subject, live_key: key})
RETURN key, m.id AS id

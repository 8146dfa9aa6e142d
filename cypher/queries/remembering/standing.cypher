// Which of these memories are live and as they were when the subject was read.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m:Live AND m.subject_id = $subject AND m.recorded_from <= $read_at
RETURN id

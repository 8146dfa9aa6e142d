// For each chain that loses a version: the newer one beside it and all older ones, nearest first.
UNWIND $ids AS id
MATCH (gone:Memory {tenant: $tenant, id: id})<-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]-(newer:Memory)
WHERE NOT newer.id IN $ids AND gone.subject_id = $subject
MATCH path = (gone)-[step:SUPERSEDES WHERE step.open_key IS NOT NULL]->{1,1000}(older:Memory)
RETURN newer.id AS newer, older.id AS older
ORDER BY length(path)

// What was merged into each memory and stands, oldest first, with what each lends it.
UNWIND $ids AS id
MATCH (keep:Memory {tenant: $tenant, id: id})<-[r:MERGED_INTO WHERE r.open_key IS NOT NULL]-(other:Memory)
WHERE keep.subject_id = $subject
RETURN id AS keep, other {.*, embedding: null} AS memory, coalesce(r.lends, []) AS lends, r.created_by AS by,
       coalesce(r.repeats, false) AS repeats
ORDER BY r.recorded_from, other.id

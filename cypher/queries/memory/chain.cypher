// Two memories of a subject, and where the second would enter the chain of the first: after which member, before which.
OPTIONAL MATCH (old:Memory {tenant: $tenant, id: $old})
WHERE old.subject_id = $subject
OPTIONAL MATCH (new:Memory {tenant: $tenant, id: $new})
WHERE new.subject_id = $subject
WITH old, new, coalesce($start, new.valid_from) AS begins
// Among members that begin together the chain's own links decide which is the last.
OPTIONAL MATCH (before:Memory)
WHERE before.tenant = $tenant AND before.chain_id = old.chain_id AND before.subject_id = $subject AND before.valid_from <= begins
  AND NOT EXISTS {
    MATCH (before)<-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]-(newer:Memory)
    WHERE newer.chain_id = before.chain_id AND newer.valid_from <= begins
  }
CALL (old, before) {
  WHEN before IS NULL THEN {
    MATCH (after:Memory)
    WHERE after.tenant = $tenant AND after.chain_id = old.chain_id AND after.subject_id = $subject
      AND NOT EXISTS {
        MATCH (after)-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]->(older:Memory)
        WHERE older.chain_id = after.chain_id
      }
    RETURN collect(after)[0] AS after
  } ELSE {
    MATCH (before)<-[r:SUPERSEDES WHERE r.open_key IS NOT NULL]-(newer:Memory)
    WHERE newer.chain_id = before.chain_id
    RETURN collect(newer)[0] AS after
  }
}
RETURN old {.*, embedding: null} AS old, new {.*, embedding: null} AS new, before {.*, embedding: null} AS before,
       after {.*, embedding: null} AS after,
       COUNT { MATCH (m:Memory) WHERE m.tenant = $tenant AND m.chain_id = new.chain_id AND m.subject_id = $subject } AS company

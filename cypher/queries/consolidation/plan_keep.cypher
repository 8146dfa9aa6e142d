// Keeps what a run would merge, with how many links would move; clears what an earlier try has kept.
CALL () {
  MATCH (old:PlannedMerge)
  WHERE $clears AND old.tenant = $tenant AND old.run_id = $run_id
  DELETE old
}
CALL () {
  UNWIND $rows AS row
  CALL (row) {
    UNWIND row.members AS id
    MATCH (m:Memory {tenant: $tenant, id: id})-[r:CAUSES|CONFLICTS|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES|WAS_CONTEXT_FOR]-(other:Memory)
    WHERE r.open_key IS NOT NULL AND NOT other.id IN row.members
    RETURN count(DISTINCT r) AS links
  }
  CREATE (p:PlannedMerge {tenant: $tenant, run_id: $run_id, created_at: $now})
  SET p += row, p.links = links
}
RETURN size($rows) AS kept

// Later changes of the memories, and later decisions about the entities, that these changes touched, which stand or would stand again.
UNWIND $sequences AS sequence
MATCH (c:Change {tenant: $tenant, sequence: sequence})-[:CHANGED]->()<-[:CHANGED]-(later:Change)
WHERE c.operation <> 'NOOP' AND later.sequence > sequence AND NOT later.sequence IN $sequences AND later.operation <> 'NOOP'
  AND (later.undone_by IS NULL OR later.sequence IN $released)
WITH DISTINCT sequence, later
RETURN sequence, later {.*} AS change

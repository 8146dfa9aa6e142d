// Later changes of the memories, and later decisions about the entities, that these changes touched, which stand or would stand again.
// Links that nobody asked for by hand are none: they go and come with what they join. What changed nothing has none, but for a
// repetition, which made a memory of its own; a repetition itself stands on what it repeats.
UNWIND $sequences AS sequence
MATCH (c:Change {tenant: $tenant, sequence: sequence})-[:CHANGED]->(touched)<-[:CHANGED]-(later:Change)
WHERE (c.operation <> 'NOOP' OR c.classification = 'DUPLICATE' AND size(c.sources) > 0 AND touched.id = c.sources[0])
  AND later.sequence > sequence AND NOT later.sequence IN $sequences
  AND (later.operation <> 'NOOP' OR later.classification = 'DUPLICATE' AND size(later.sources) > 0)
  AND (later.undone_by IS NULL OR later.sequence IN $released)
WITH DISTINCT sequence, later
OPTIONAL MATCH (asked:Request {tenant: $tenant, id: later.request_id})
WITH sequence, later, asked
WHERE later.operation <> 'LINK' OR later.classification = 'GAP_CLOSED' OR coalesce(asked.operation, '') = $by_hand
RETURN sequence, later {.*, erased_at: asked.erased_at} AS change

// The communities of a subject that are large enough for a summary: their live members that are not in doubt, by id and content, and the summaries there are.
MATCH (c:Community)
WHERE c.tenant = $tenant AND c.id >= '' AND c.subject_id = $subject AND c.ended_at IS NULL AND c.size >= $least
  AND ($ids IS NULL OR c.id IN $ids)
RETURN c.id AS id,
  COLLECT {
    MATCH (m:Live)-[r:MEMBER_OF]->(c)
    WHERE r.recorded_to = $forever
    // include: consolidation/parts/not_in_doubt
    RETURN m {.id, hash: m.content_hash}
  } AS members,
  COLLECT {
    MATCH (s:Summary)
    WHERE s.tenant = $tenant AND s.community_id = c.id AND s:Memory
    RETURN s {.id, .status, .made_of, .written_by}
  } AS summaries
ORDER BY id

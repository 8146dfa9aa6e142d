// The summary of each community that has one, with how many of its members it was made of, and of how many it was made.
UNWIND $ids AS id
MATCH (c:Community {tenant: $tenant, id: id})
WHERE c.subject_id >= $lo AND c.subject_id <= $hi
CALL (c) {
  MATCH (s:Summary)
  WHERE s.tenant = $tenant AND s.community_id = c.id AND s:Memory AND s.status = 'ACTIVE'
  RETURN s
  ORDER BY s.created_at DESC, s.id
  LIMIT 1
}
RETURN id, s {.*, embedding: null, embedding_next: null} AS state,
  COUNT {
    MATCH (m:Live)-[r:MEMBER_OF]->(c)
    WHERE r.recorded_to = $forever
    // include: consolidation/parts/not_in_doubt
  } AS members,
  COUNT { (s)-[k:CONSOLIDATES WHERE k.open_key IS NOT NULL]->(:Memory) } AS sources,
  COUNT {
    MATCH (s)-[k:CONSOLIDATES WHERE k.open_key IS NOT NULL]->(m:Live)-[r:MEMBER_OF]->(c)
    WHERE r.recorded_to = $forever AND (
      m.recorded_from <= s.recorded_from
      // What was only tagged or confirmed since says the same.
      OR EXISTS { (m)-[:REVISED_FROM]->(v:Revision {content_hash: m.content_hash}) WHERE v.recorded_from <= s.recorded_from AND v.recorded_to > s.recorded_from }
    )
  } AS same

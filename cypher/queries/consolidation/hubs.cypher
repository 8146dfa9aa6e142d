// The hubs among a subject's live memories, the most important first, each with the memories nearest to it.
MATCH (h:Live)
WHERE h.tenant = $tenant AND h.subject_id = $subject AND h.holds_to > $now AND h.embedding IS NOT NULL
WITH h,
     COUNT {
       (h)<-[r:CAUSES|INSTANCE_OF|INVALIDATED_BY|MOTIVATED_BY|RELATED|SUPPORTS|REFERENCES|EXPANDS|SIMILAR|FOLLOWS|ENABLES]-(:Memory)
       WHERE r.recorded_to = $forever
     } + COUNT { (h)-[r:CONFLICTS]-(:Memory) WHERE r.recorded_to = $forever } AS links
WHERE (h.importance >= $least_importance AND h.access_count >= $least_accesses) OR links >= $least_links
WITH h
ORDER BY h.importance DESC, h.content_hash, h.id
LIMIT $most_hubs
CALL (h) {
  MATCH (m:Live)
    SEARCH m IN (
      VECTOR INDEX memory_live FOR h.embedding
      WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.holds_to > $now
      LIMIT $fetch
    )
  WITH h, m, 2 * vector.similarity.cosine(m.embedding, h.embedding) - 1 AS cosine
  WHERE m.id <> h.id AND m.embedding_model = h.embedding_model AND cosine >= $similarity
  ORDER BY cosine DESC, m.content_hash, m.id
  RETURN collect({id: m.id, cosine: cosine}) AS near
}
RETURN h.id AS id, h.caption AS caption, near
ORDER BY h.importance DESC, h.content_hash, h.id

// What the live members of communities say, with their vectors of one model.
UNWIND $ids AS id
MATCH (c:Community {tenant: $tenant, id: id})<-[r:MEMBER_OF]-(m:Live)
WHERE c.subject_id = $subject AND r.recorded_to = $forever
RETURN id, m {.id, .text, .kind, .valid_from, .happens_at, .confidence, .source_kind, .confirmed_at, .content_hash} AS memory,
  CASE
    WHEN m.embedding IS NOT NULL AND ($model IS NULL OR m.embedding_model = $model) THEN m.embedding
    WHEN $uses_next THEN m.embedding_next
  END AS vector
ORDER BY id, m.content_hash, m.valid_from, m.id

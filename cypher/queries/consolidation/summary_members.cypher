// What the live members of communities say, and how near each is to the one most alike the others.
UNWIND $ids AS id
MATCH (c:Community {tenant: $tenant, id: id})<-[r:MEMBER_OF]-(m:Live)
WHERE c.subject_id = $subject AND r.recorded_to = $forever
// include: consolidation/parts/not_in_doubt
OPTIONAL MATCH (central:Memory {tenant: $tenant, id: c.central_id})
RETURN id, m {.id, .text, .kind, .valid_from, .happens_at, .confidence, .source_kind, .source_author, .heading, .confirmed_at, .content_hash} AS memory,
  coalesce(2 * vector.similarity.cosine(m.embedding, central.embedding) - 1, 0.0) AS nearness
ORDER BY id, m.content_hash, m.valid_from, m.id

// The live memories of the subject nearest to each memory, with the community that each is in.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject AND m.embedding IS NOT NULL
CALL (m) {
  MATCH (n:Live)
    SEARCH n IN (
      VECTOR INDEX memory_live FOR m.embedding
      WHERE n.tenant = $tenant AND n.subject_id = $subject
      LIMIT $fetch
    )
  WITH n, 2 * vector.similarity.cosine(n.embedding, m.embedding) - 1 AS cosine
  WHERE n <> m AND cosine >= $min_cosine
  ORDER BY cosine DESC, n.content_hash, n.id
  LIMIT $most
  OPTIONAL MATCH (n)-[r:MEMBER_OF]->(c:Community)
  WHERE r.recorded_to = $forever
  RETURN collect({id: n.id, cosine: cosine, community: c.id}) AS near
}
RETURN id, m.caption AS caption, near
ORDER BY m.content_hash, m.valid_from, id

// What new memories may be linked to: live ones that are near, and those that share a rare entity and are not far.
UNWIND $ids AS id
MATCH (n:Memory {tenant: $tenant, id: id})
WHERE n.subject_id = $subject AND n:Live AND n.embedding IS NOT NULL
WITH n, n.embedding AS embedding
CALL (n, embedding) {
  CALL (n, embedding) {
    MATCH (m:Live)
      SEARCH m IN (
        VECTOR INDEX memory_live FOR embedding
        WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.holds_to > $now
        LIMIT $fetch
      )
    WITH m, 2 * vector.similarity.cosine(m.embedding, embedding) - 1 AS cosine
    WHERE cosine >= $floor
    RETURN m AS known, cosine
    UNION ALL
    MATCH (n)-[a:MENTIONS WHERE a.recorded_to = $forever]->(e:Entity)
    WHERE e.tenant = $tenant AND e.link_count <= $most
    MATCH (e)<-[b:MENTIONS WHERE b.recorded_to = $forever]-(other:Live)
    WHERE other.tenant = $tenant AND other.subject_id = $subject
    WITH other, 2 * vector.similarity.cosine(other.embedding, embedding) - 1 AS nearness
    WHERE nearness >= $shared_floor
    RETURN other AS known, nearness AS cosine
  }
  WITH known, max(cosine) AS cosine
  WHERE known.id <> n.id
  ORDER BY cosine DESC, known.id
  LIMIT $limit
  RETURN collect(known.id) AS near
}
RETURN n.id AS id, near

// The live memories that a language model is shown beside messages: those given by id, pinned ones, the nearest.
CALL () {
  UNWIND $ids AS id
  MATCH (given:Memory {tenant: $tenant, id: id})
  WHERE given:Live AND given.subject_id = $subject AND given.holds_to > $now
  RETURN given AS known, 0 AS rank, 1.0 AS cosine
  UNION ALL
  CALL () {
    MATCH (pinned:Live)
    WHERE pinned.tenant = $tenant AND pinned.subject_id = $subject AND pinned.pinned AND pinned.holds_to > $now
    RETURN pinned
    ORDER BY pinned.valid_from DESC, pinned.id
    LIMIT $pinned
  }
  RETURN pinned AS known, 1 AS rank, 1.0 AS cosine
  UNION ALL
  UNWIND $vectors AS said
  CALL (said) {
    MATCH (m:Live)
      SEARCH m IN (
        VECTOR INDEX memory_live FOR said
        WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.holds_to > $now
        LIMIT $fetch
      )
    WITH m, 2 * vector.similarity.cosine(m.embedding, said) - 1 AS near
    WHERE near >= $floor
    RETURN m, near
  }
  WITH m AS found, max(near) AS nearness
  ORDER BY nearness DESC, found.id
  LIMIT $nearest
  RETURN found AS known, 2 AS rank, nearness AS cosine
}
WITH known, min(rank) AS rank, max(cosine) AS cosine
ORDER BY rank, cosine DESC, known.id
RETURN known.id AS id

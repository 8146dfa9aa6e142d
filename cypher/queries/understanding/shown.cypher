// The live memories that a language model is shown beside messages: those given by id, pinned ones, those made of the messages just before, the nearest to each.
CALL () {
  UNWIND $ids AS id
  MATCH (given:Memory {tenant: $tenant, id: id})
  WHERE given:Live AND given.subject_id = $subject AND given.holds_to > $now
  RETURN given AS known
  UNION ALL
  CALL () {
    MATCH (pinned:Live)
    WHERE pinned.tenant = $tenant AND pinned.subject_id = $subject AND pinned.pinned AND pinned.holds_to > $now
    RETURN pinned
    ORDER BY pinned.valid_from DESC, pinned.id
    LIMIT $pinned
  }
  RETURN pinned AS known
  UNION ALL
  UNWIND $before AS id
  MATCH (b:Message {tenant: $tenant, id: id})<-[:EXTRACTED_FROM]-(latest:Live)
  WHERE latest.subject_id = $subject AND latest.holds_to > $now
  RETURN latest AS known
  UNION ALL
  // Of each message first the nearest one, then the second of each, and so on, so that none takes the room of all.
  UNWIND range(0, size($vectors) - 1) AS message
  WITH message, $vectors[message] AS said
  CALL (said) {
    MATCH (m:Live)
      SEARCH m IN (
        VECTOR INDEX memory_live FOR said
        WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.holds_to > $now
        LIMIT $fetch
      )
    WITH m, 2 * vector.similarity.cosine(m.embedding, said) - 1 AS cosine
    RETURN m AS like, cosine AS near
  }
  WITH message, like, near
  ORDER BY near DESC, like.id
  WITH message, collect({node: like, near: near}) AS ranked
  UNWIND range(0, size(ranked) - 1) AS place
  WITH ranked[place].node AS found, min(place) AS place, max(ranked[place].near) AS nearness
  ORDER BY place, nearness DESC, found.id
  LIMIT $nearest
  RETURN found AS known
}
WITH DISTINCT known
RETURN known.id AS id
ORDER BY known.valid_from, known.id

// Live memories by how many of a sample, of vectors or else of memories, have them among their nearest; and how many there are in all.
MATCH (l:Live)
WHERE l.tenant = $tenant AND l.subject_id >= $lo AND l.subject_id <= $hi
WITH count(l) AS live
CALL () {
  UNWIND $vectors AS vector
  RETURN vector, null AS own
  UNION ALL
  MATCH (s:Live)
  WHERE s.tenant = $tenant AND s.subject_id >= $lo AND s.subject_id <= $hi AND s.embedding IS NOT NULL AND $sample > 0
  WITH s
  ORDER BY rand()
  LIMIT $sample
  RETURN s.embedding AS vector, s.id AS own
}
WITH live, collect({vector: vector, own: own}) AS asked
UNWIND asked AS one
CALL (one) {
  MATCH (neighbour:Live)
    SEARCH neighbour IN (
      VECTOR INDEX memory_live FOR one.vector
      WHERE neighbour.tenant = $tenant AND neighbour.subject_id >= $lo AND neighbour.subject_id <= $hi
        AND neighbour.valid_from <= $now AND neighbour.holds_to > $now
      LIMIT $fetch
    )
  WITH neighbour, one, vector.similarity.cosine(neighbour.embedding, one.vector) AS cosine
  WHERE one.own IS NULL OR neighbour.id <> one.own
  ORDER BY cosine DESC, neighbour.id
  LIMIT $near
  RETURN neighbour.id AS id
}
WITH live, size(asked) AS sampled, id, count(*) AS times
WHERE toFloat(times) / sampled > $share AND toFloat(times) / sampled > $lift * $near / toFloat(live)
RETURN id, times AS near, sampled
ORDER BY near DESC, id
LIMIT $first

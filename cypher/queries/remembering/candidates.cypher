// For each new statement the live memories nearest to it, having words of its question in common with it, sharing a rare entity with it, by any of its names, or named as what it is about, which keys are names of one, and how far the subject was written then.
OPTIONAL MATCH (s:Subject {tenant: $tenant, id: $subject})
WITH coalesce(s.sequence, 0) AS sequence
CALL () {
  MATCH (e:Entity)
  WHERE e.tenant = $tenant AND e.subject_id = $subject AND e.alias_keys IS NOT NULL AND any(key IN e.alias_keys WHERE key IN $keys)
  RETURN collect({id: e.id, key: e.key, keys: e.alias_keys}) AS aliased
}
UNWIND $rows AS row
OPTIONAL MATCH (q:Request {tenant: $tenant, subject_id: $wall, operation: $operation, key: row.key})
WITH sequence, aliased, row, q.answer IS NOT NULL AS is_answered
CALL (row, aliased) {
  CALL (row, aliased) {
    WITH row
    WHERE row.vector IS NOT NULL
    MATCH (m:Live)
      SEARCH m IN (
        VECTOR INDEX memory_live FOR row.vector
        WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.holds_to > $now
        LIMIT $fetch
      )
    WITH m, row.stems AS stems, 2 * vector.similarity.cosine(m.embedding, row.vector) - 1 AS cosine
    WHERE cosine >= row.floor OR (cosine >= $worded_floor AND any(stem IN stems WHERE toLower(m.text) CONTAINS stem))
    RETURN m AS known, cosine, [] AS names
    UNION ALL
    WITH row
    WHERE row.vector IS NOT NULL AND row.words <> ''
    CALL db.index.fulltext.queryNodes('memory_live_text',
      '+tenant:' + $tenant + '^0 +subject_id:' + $subject + '^0 +(' + row.words + ')', {limit: $most_worded}) YIELD node AS n
    WITH n, row
    WHERE n.tenant = $tenant AND n.subject_id = $subject AND n:Live AND n.holds_to > $now AND n.embedding IS NOT NULL
    WITH n, 2 * vector.similarity.cosine(n.embedding, row.vector) - 1 AS cosine
    WHERE cosine >= $worded_floor
    RETURN n AS known, cosine, [] AS names
    UNION ALL
    WITH row
    WHERE row.vector IS NOT NULL AND row.about IS NOT NULL
    MATCH (n:Memory {tenant: $tenant, id: row.about})
    WHERE n:Live AND n.subject_id = $subject AND n.holds_to > $now AND n.embedding IS NOT NULL
    RETURN n AS known, 2 * vector.similarity.cosine(n.embedding, row.vector) - 1 AS cosine, [] AS names
    UNION ALL
    UNWIND row.entities AS wanted
    CALL (wanted, aliased) {
      MATCH (e:Entity)
      WHERE e.tenant = $tenant AND e.subject_id = $subject AND e.type IN wanted.types AND e.key = wanted.key
        AND e.discriminator >= ''
      RETURN e
      UNION
      UNWIND [each IN aliased WHERE wanted.key IN each.keys | each.id] AS id
      MATCH (e:Entity {tenant: $tenant, id: id})
      WHERE e.type IN wanted.types
      RETURN e
    }
    WITH row, e
    WHERE e.link_count <= $most
    MATCH (e)<-[r:MENTIONS WHERE r.recorded_to = $forever]-(n:Live)
    WHERE n.holds_to > $now AND n.subject_id = $subject
    WITH n, row, collect(e.name) AS names
    WITH n, names, 2 * vector.similarity.cosine(n.embedding, row.vector) - 1 AS cosine
    WHERE cosine >= $shared_floor
    RETURN n AS known, cosine, names
  }
  WITH known, max(cosine) AS cosine, reduce(all = [], list IN collect(names) | all + list) AS names
  ORDER BY known.id = coalesce(row.about, '') DESC, cosine DESC, known.id
  LIMIT $most_candidates
  // include: remembering/parts/said_at
  RETURN collect({
    id: known.id, text: known.text, kind: known.kind, heading: known.heading,
    // What a person has confirmed counts as said by a person.
    source_kind: CASE WHEN known.confirmed_at IS NULL THEN known.source_kind ELSE 'user' END,
    author: known.source_author, valid_from: known.valid_from, vector: known.embedding, cosine: cosine, names: names,
    labels: coalesce(known.labels, []), said_at: said_at, happens_at: known.happens_at
  }) AS candidates
}
RETURN sequence, is_answered, row.id AS id, candidates, [each IN aliased | [each.key] + each.keys] AS aliases

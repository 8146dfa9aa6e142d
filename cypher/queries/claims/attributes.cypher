// What is stated of each entity, by name: its attributes, each with what was stated as recorded at a time, latest first.
// What a merged memory stated the one that it went into states too, while its words have the value and it says no more of it.
UNWIND $ids AS id
MATCH (e:Entity {tenant: $tenant, id: id})
WHERE e.subject_id >= $lo AND e.subject_id <= $hi
RETURN id, COLLECT {
  MATCH (e)<-[:OF]-(a:Attribute)
  WITH a, COLLECT {
    MATCH (a)<-[r:STATES]-(teller:Memory)
    WHERE r.recorded_from <= $known_at AND r.recorded_to > $known_at
    MATCH (teller) (()-[g:MERGED_INTO WHERE g.recorded_from <= $known_at AND g.recorded_to > $known_at]->())* (m:Memory)
    CALL (m) {
      WITH m
      WHERE m.recorded_from <= $known_at
      RETURN m AS s
      UNION ALL
      WITH m
      WHERE m.recorded_from > $known_at
      MATCH (m)-[:REVISED_FROM]->(s:Revision)
      WHERE s.recorded_from <= $known_at AND s.recorded_to > $known_at
      RETURN s
    }
    WITH r, teller, m, s
    WHERE s.holds_to > s.valid_from AND (m = teller OR toLower(s.text) CONTAINS toLower(r.value) AND NOT EXISTS {
      MATCH (m)-[own:STATES]->(a)
      WHERE own.recorded_from <= $known_at AND own.recorded_to > $known_at
        AND (toLower(own.value) CONTAINS toLower(r.value) OR toLower(r.value) CONTAINS toLower(own.value))
    })
    RETURN r {.value, .value_kind, .unit, .polarity, memory: m.id, valid_from: s.valid_from, valid_to: s.holds_to} AS said
    ORDER BY s.valid_from DESC, m.id DESC
    LIMIT $most
  } AS said
  WHERE size(said) > 0
  RETURN {name: a.name, said: said}
  ORDER BY a.key
  LIMIT $first
} AS attributes

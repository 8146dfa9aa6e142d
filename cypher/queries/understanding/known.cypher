// What a message may be about: the live memories nearest to it, and those made of the messages just before it.
CALL () {
  MATCH (m:Live)
    SEARCH m IN (
      VECTOR INDEX memory_live FOR $vector
      WHERE m.tenant = $tenant AND m.subject_id = $subject AND m.holds_to > $now
      LIMIT $nearest
    )
  RETURN m
  UNION
  MATCH (b:Message)
  WHERE b.tenant = $tenant AND b.id IN $before
  MATCH (b)<-[:EXTRACTED_FROM]-(m:Live)
  WHERE m.subject_id = $subject AND m.holds_to > $now
  RETURN m
}
RETURN m.id AS id, m.text AS text, m.source_author AS author, m.valid_from AS valid_from, m.kind AS kind
ORDER BY valid_from, id

// What a message may be about: the live memories nearest to it, and those made of the messages just before it.
MATCH (n:Live)
  SEARCH n IN (
    VECTOR INDEX memory_live FOR $vector
    WHERE n.tenant = $tenant AND n.subject_id = $subject AND n.holds_to > $now
    LIMIT $nearest
  )
WITH collect(n.id) AS near
OPTIONAL MATCH (b:Message)<-[:EXTRACTED_FROM]-(latest:Live)
WHERE b.tenant = $tenant AND b.id IN $before AND latest.subject_id = $subject AND latest.holds_to > $now
WITH near, collect(latest.id) AS latest
UNWIND near + latest AS id
WITH DISTINCT id, latest
MATCH (m:Memory {tenant: $tenant, id: id})
OPTIONAL MATCH (m)-[:EXTRACTED_FROM]->(b:Message)
WITH m, latest, max(b.at) AS said_at
RETURN m.id AS id, m.text AS text, m.source_author AS author, m.valid_from AS valid_from, m.kind AS kind,
       coalesce(said_at, CASE WHEN m.created_at < m.valid_from THEN m.created_at ELSE m.valid_from END) AS said_at,
       m.happens_at AS happens_at, m.id IN latest AS is_just_said
ORDER BY valid_from, id

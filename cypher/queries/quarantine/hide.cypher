// Takes what a source has said out of answers; says how much.
MATCH (m:Message)
WHERE m.tenant = $tenant AND m.id >= '' AND m.subject_id >= $lo AND m.subject_id <= $hi AND m:Passage AND m.created_at >= $since
  AND ($kind IS NULL OR m.source_kind = $kind)
  AND ($ref IS NULL OR m.ref = $ref)
  AND ($session IS NULL OR m.session = $session)
  AND ($author IS NULL OR toLower(m.speaker) = toLower($author))
SET m.quarantined_by = $run_id, m.embedding = null, m.embedding_next = null, m.embedding_model = 'PENDING', m.unembedded = null
REMOVE m:Passage
RETURN count(m) AS passages

// What memories of the subject say, whether they are live, and when they were said last, by id.
UNWIND $ids AS id
MATCH (known:Memory {tenant: $tenant, id: id})
WHERE known.subject_id = $subject
// include: remembering/parts/said_at
RETURN known.id AS id, known.text AS text, known.status AS status, known:Live AS is_live, known.valid_from AS valid_from,
  known.source_author AS author, known.kind AS kind, known.happens_at AS happens_at,
  coalesce(said_at, CASE WHEN known.created_at < known.valid_from THEN known.created_at ELSE known.valid_from END) AS said_at

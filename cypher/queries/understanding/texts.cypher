// What memories of the subject say, and whether they are live, by id.
UNWIND $ids AS id
MATCH (m:Memory {tenant: $tenant, id: id})
WHERE m.subject_id = $subject
RETURN m.id AS id, m.text AS text, m.status AS status, m:Live AS is_live, m.valid_from AS valid_from, m.source_author AS author,
  m.kind AS kind, m.happens_at AS happens_at

// Some states that lack the vector of the next model, by id, from a cursor on.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.id > $after AND m.embedding_next IS NULL
  RETURN m AS s
  ORDER BY m.tenant, m.id
  LIMIT $limit
  UNION ALL
  MATCH (r:Revision)
  WHERE r.tenant = $tenant AND r.id > $after AND r.embedding_next IS NULL
  RETURN r AS s
  ORDER BY r.tenant, r.id
  LIMIT $limit
}
RETURN s.id AS id, s.search_text AS text, s.content_hash AS hash
ORDER BY id
LIMIT $limit

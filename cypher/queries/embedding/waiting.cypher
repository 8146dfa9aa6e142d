// Some states that wait for their vector.
CALL () {
  MATCH (m:Memory)
  WHERE m.tenant = $tenant AND m.unembedded = true
  RETURN m AS s
  LIMIT $limit
  UNION ALL
  MATCH (r:Revision)
  WHERE r.tenant = $tenant AND r.unembedded = true
  RETURN r AS s
  LIMIT $limit
}
RETURN s.id AS id, s.search_text AS text, s.content_hash AS hash
LIMIT $limit

// The memories of a source that are not in quarantine yet, with all that was made of them, by subject and chain.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.subject_id >= $lo AND m.subject_id <= $hi AND m.created_at >= $since
  AND ($kind IS NULL OR m.source_kind = $kind)
  AND ($ref IS NULL OR m.source_ref = $ref)
  AND ($session IS NULL OR m.session_id = $session)
  AND ($author IS NULL OR toLower(m.source_author) = toLower($author))
CALL (m) {
  RETURN m AS found
  UNION
  MATCH (m)<-[:CONSOLIDATES|DERIVED_FROM]-{1,20}(product:Memory)
  WHERE product.tenant = $tenant
  RETURN product AS found
  UNION
  MATCH (m)-[:MERGED_INTO]->{1,20}(:Memory)<-[:CONSOLIDATES|DERIVED_FROM]-{1,20}(product:Memory)
  WHERE product.tenant = $tenant
  RETURN product AS found
}
WITH DISTINCT found
WHERE found.quarantined_by IS NULL AND found.status <> 'RETRACTED'
MATCH (s:Subject {tenant: $tenant, id: found.subject_id})
RETURN s.name AS subject, found.id AS id, found.chain_id AS chain
ORDER BY subject, chain, id

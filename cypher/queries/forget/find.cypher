// The memories that were named, came from a source, or are all of the subject, and every product that reaches them.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.subject_id = $subject AND ($everything OR m.id IN $ids OR ($source IS NOT NULL AND m.source_ref = $source))
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
RETURN DISTINCT found.id AS id
ORDER BY id

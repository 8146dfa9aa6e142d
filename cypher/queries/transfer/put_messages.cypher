// Puts messages back, each in its segment. Those of an older export become passages that wait for their vector.
UNWIND $rows AS row
MATCH (s:Segment {tenant: $tenant, id: row.properties.segment_id})
CREATE (n:$(row.labels) {tenant: $tenant})-[:PART_OF]->(s)
SET n += row.properties
WITH n
WHERE n.redacted_at IS NULL AND n.quarantined_by IS NULL AND n.embedding_model IS NULL
SET n:Passage, n.unembedded = true, n.embedding_model = 'PENDING', n.source_kind = coalesce(n.source_kind, 'import')

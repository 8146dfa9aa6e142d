// Puts messages back, each in its segment.
UNWIND $rows AS row
MATCH (s:Segment {tenant: $tenant, id: row.properties.segment_id})
CREATE (n:Message {tenant: $tenant})-[:PART_OF]->(s)
SET n += row.properties

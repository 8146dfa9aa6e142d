// Closes the segments that hold nothing more to extract.
UNWIND $segments AS id
MATCH (s:Segment {tenant: $tenant, id: id})
WHERE NOT EXISTS { MATCH (m:Message) WHERE m.tenant = $tenant AND m.segment_id = id AND m.extracted_at IS NULL }
SET s.status = 'EXTRACTED', s.extracted_at = $now

// Messages of each tenant that a language model was asked about, whose batch has failed, and that rules have not read yet.
MATCH (b:Batch)
WHERE b.status IN ['failed', 'expired', 'cancelled'] AND b.kind = 'EXTRACTION'
MATCH (s:Segment)
WHERE s.tenant = b.tenant AND s.status = 'PENDING' AND s.subject_id = b.subject_id
MATCH (m:Message)
WHERE m.tenant = s.tenant AND m.segment_id = s.id AND m.extracted_at IS NULL AND m.asked_in = b.id
MATCH (t:Tenant {id: m.tenant})
RETURN t.name AS tenant, count(m) AS messages
ORDER BY tenant

// How many messages `m` there are and what became of them.
RETURN count(m) AS messages, count(m.extracted_at) AS extracted, count(m.set_aside) AS set_aside,
       count(CASE WHEN m.extracted_at IS NOT NULL AND m.redacted_at IS NULL AND coalesce(m.role, 'user') = 'user'
         AND NOT EXISTS { (m)<-[:EXTRACTED_FROM]-() } THEN m END) AS left_out

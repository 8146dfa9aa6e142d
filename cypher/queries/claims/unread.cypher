// Some memories whose claims were never read, of one subject after another.
MATCH (m:Memory)
WHERE m.tenant = $tenant AND m.unread = true
WITH m.subject_id AS subject, collect(m.id)[..$limit] AS ids
LIMIT 1
MATCH (s:Subject {tenant: $tenant, id: subject})
RETURN s.name AS subject, ids
